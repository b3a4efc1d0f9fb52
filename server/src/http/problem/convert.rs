//! Maps errors of services and of the store to refusals.

use std::io;

use http::header;
use leadscribe_engine::diagnostic::{Diagnostic, Place, stored, work};

use super::{Code, RETRY_AFTER_SECONDS, Refusal};
use crate::recording::RecordingFiles;
use crate::service::error::ServiceError;
use crate::service::passwords::PasswordError;
use crate::service::sessions::LoginError;
use crate::storage::{StoreError, TOO_MANY_OPEN_DELIVERIES, TooManyValues, WriteError};

/// Value of `Retry-After` when too many deliveries are open, in seconds. A working endpoint completes some hundred in that time.
const DELIVERIES_RETRY_AFTER_SECONDS: u64 = 60;

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_)
            | StoreError::CommitUnknown(_)
            | StoreError::Busy(_)
            | StoreError::Conflict(_) => unavailable(error),
            StoreError::Failed(cause) if cause.is::<TooManyValues>() => {
                let fault = Diagnostic::new(Place::default(), "too_many", stored::too_many_values());
                Self::fault(Code::InvalidFilter, fault.suggest(stored::name_campaigns()))
            }
            StoreError::Failed(_) => Self::internal(error),
        }
    }
}

impl From<WriteError> for Refusal {
    /// Maps refused writes: 403 for a missing role, 429 for limits that clear up by waiting, 422 for a body or parameter that refers to
    /// something unknown, and 409 for everything else.
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Store(error) => error.into(),
            WriteError::Refused(fault) => {
                let names_nothing = fault.code.starts_with("unknown_") || fault.code == "not_found";
                let is_at_value = match &fault.place {
                    Place::Pointer(pointer) => !pointer.is_empty(),
                    Place::Parameter(_) => true,
                    Place::Column(_) => false,
                };
                let code = match fault.code.as_str() {
                    "role_required" => Code::Forbidden,
                    TOO_MANY_OPEN_DELIVERIES => {
                        return Self::fault(Code::TooManyDeliveries, fault)
                            .with_header(header::RETRY_AFTER, DELIVERIES_RETRY_AFTER_SECONDS.into());
                    }
                    _ if names_nothing && is_at_value => Code::Unprocessable,
                    _ => Code::Conflict,
                };
                Self::fault(code, fault)
            }
        }
    }
}

impl From<ServiceError> for Refusal {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::InvalidRequest(faults) => Self::faults(Code::InvalidRequest, faults),
            ServiceError::InvalidFilter(faults) => Self::faults(Code::InvalidFilter, faults),
            ServiceError::NotFound(thing) => Self::not_found(thing),
            ServiceError::InvalidToken => {
                Self::unauthorized(Code::InvalidToken, "the speech recognition token is unknown or revoked")
            }
            ServiceError::Unseen => {
                Self::new(Code::NotFound, "this token has no transcript of such a call").without_request_id()
            }
            ServiceError::TranscriptionCancelled => Self::new(Code::TranscriptionCancelled, error.to_string()),
            ServiceError::TranscriptionFailed(_) => Self::new(Code::TranscriptionFailed, error.to_string()),
            ServiceError::TranscriptPurged => Self::new(Code::TranscriptPurged, error.to_string()),
            ServiceError::RejectedRowsPurged => Self::new(Code::RejectedRowsPurged, error.to_string()),
            ServiceError::InFlight => Self::new(Code::InFlight, error.to_string())
                .with_header(header::RETRY_AFTER, RETRY_AFTER_SECONDS.into()),
            ServiceError::KeyReused => Self::new(Code::KeyReused, error.to_string()),
            ServiceError::UnusableRecording(detail) => Self::new(Code::UnusableRecording, detail),
            ServiceError::AllowanceUsed(used) => Self::too_many_requests(used.to_string(), used.seconds),
            ServiceError::TooManyImports => Self::overloaded(error.to_string()),
            ServiceError::Login(error) => error.into(),
            ServiceError::Password(error) => error.into(),
            ServiceError::Write(error) => error.into(),
            ServiceError::Store(error) => error.into(),
            error @ (ServiceError::Recordings(_) | ServiceError::File(_)) if is_disk_full(&error) => unavailable(error),
            ServiceError::Recordings(ref cause) if RecordingFiles::is_elsewhere(cause) => unavailable(error),
            error @ (ServiceError::DamagedRecording(_)
            | ServiceError::Recordings(_)
            | ServiceError::File(_)
            | ServiceError::Task(_)
            | ServiceError::BrokenOff(_)) => Self::internal(error),
        }
    }
}

impl From<LoginError> for Refusal {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::Wrong => Self::unauthorized(Code::InvalidLogin, error.to_string()),
            LoginError::TooMany { seconds } => Self::too_many_requests(work::too_many_attempts(seconds), seconds),
            LoginError::Store(error) => error.into(),
            LoginError::Password(error) => error.into(),
        }
    }
}

impl From<PasswordError> for Refusal {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Busy => Self::overloaded(error.to_string()),
            PasswordError::Hashing(_) | PasswordError::Task(_) => Self::internal(error),
        }
    }
}

/// 503: the same request may succeed later.
fn unavailable(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Refusal {
    let refusal = Refusal::new(Code::Unavailable, "storage is unavailable; retry later");
    Refusal { cause: Some(cause.into()), ..refusal }.with_header(header::RETRY_AFTER, RETRY_AFTER_SECONDS.into())
}

/// True if an error is caused by a full disk. The request may succeed once the operator has freed space.
fn is_disk_full(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
        if matches!(kind, Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)) {
            return true;
        }
        next = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use http::header;
    use leadscribe_engine::diagnostic::{Diagnostic, Place};

    use super::{Code, Refusal, ServiceError};
    use crate::storage::{StoreError, TooManyValues, WriteError};

    #[test]
    fn keeps_cause_private() {
        for (error, code) in [
            (StoreError::Failed("no such table: lead".into()), Code::Internal),
            (StoreError::Unavailable("database is locked".into()), Code::Unavailable),
        ] {
            let refusal = Refusal::from(error);
            assert_eq!(refusal.code(), code);
            assert!(refusal.cause().is_some());
            let sent = serde_json::to_string(&refusal.problem("r1")).expect("JSON");
            assert!(!sent.contains("table") && !sent.contains("locked"), "{sent}");
        }
    }

    #[test]
    fn full_disk_is_temporary() {
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        assert_eq!(Refusal::from(ServiceError::File(full)).code(), Code::Unavailable);
        let gone = std::io::Error::from(std::io::ErrorKind::NotFound);
        assert_eq!(Refusal::from(ServiceError::File(gone)).code(), Code::Internal);
    }

    #[test]
    fn unavailable_store_sets_retry_after() {
        let response = Refusal::from(StoreError::Unavailable("busy".into())).into_response("r1");
        assert_eq!(response.status(), 503);
        assert_eq!(response.headers()[header::RETRY_AFTER], "2");
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
    }

    #[test]
    fn duplicate_is_409_and_unknown_reference_is_422() {
        let refused = |place: &str, code: &str| {
            let fault = Diagnostic::new(Place::Pointer(place.to_owned()), code, "detail");
            Refusal::from(WriteError::Refused(fault)).code()
        };
        assert_eq!(refused("/name", "taken"), Code::Conflict);
        assert_eq!(refused("/lead_id", "unknown_lead"), Code::Unprocessable);
        assert_eq!(refused("", "role_required"), Code::Forbidden);
    }

    #[test]
    fn filter_with_too_many_values_is_bad_request() {
        let refusal = Refusal::from(StoreError::Failed(Box::new(TooManyValues(40_000))));
        assert_eq!((refusal.code(), refusal.code().status().as_u16()), (Code::InvalidFilter, 400));
    }
}
