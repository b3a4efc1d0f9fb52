//! Maps errors of services and of the store to problems.

use std::io;

use http::header;
use leadscribe_engine::diagnostic::{Diagnostic, Location, conflict, work};

use super::{Code, Problem, RETRY_AFTER_SECONDS};
use crate::recording::is_remote_error;
use crate::service::auth::passwords::PasswordError;
use crate::service::auth::sessions::LoginError;
use crate::service::error::ServiceError;
use crate::storage::{
    EDIT_CONFLICT, IDEMPOTENCY_KEY_REUSED, StoreError, TOO_MANY_PENDING_DELIVERIES, TooManyBoundValues, WriteError,
};

/// Value of `Retry-After` when too many deliveries are pending, in seconds. A working endpoint accepts hundreds in that time.
const DELIVERIES_RETRY_AFTER_SECONDS: u64 = 60;

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_)
            | StoreError::CommitUnknown(_)
            | StoreError::Busy(_)
            | StoreError::Conflict(_) => unavailable(error),
            StoreError::Failed(cause) if cause.is::<TooManyBoundValues>() => {
                let diagnostic = Diagnostic::new(Location::default(), "too_many", conflict::too_many_values());
                Self::from_diagnostic(Code::InvalidFilter, diagnostic.suggest(conflict::limit_campaigns()))
            }
            StoreError::Failed(_) => Self::internal(error),
        }
    }
}

impl From<WriteError> for Problem {
    /// Maps refused writes: 403 for a missing role, 412 for an outdated version, 429 for limits that reset with time,
    /// 422 for a reused idempotency key and for a body or parameter that refers to something unknown, and 409 for
    /// everything else.
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Store(error) => error.into(),
            WriteError::Refused(diagnostic) => {
                let is_unknown_reference = diagnostic.code.starts_with("unknown_") || diagnostic.code == "not_found";
                let has_location = match &diagnostic.location {
                    Location::Pointer(pointer) => !pointer.is_empty(),
                    Location::Parameter(_) => true,
                    Location::Column(_) => false,
                };
                let code = match diagnostic.code.as_str() {
                    "role_required" => Code::Forbidden,
                    EDIT_CONFLICT => Code::PreconditionFailed,
                    IDEMPOTENCY_KEY_REUSED => Code::KeyReused,
                    TOO_MANY_PENDING_DELIVERIES => {
                        return Self::from_diagnostic(Code::TooManyDeliveries, diagnostic)
                            .with_header(header::RETRY_AFTER, DELIVERIES_RETRY_AFTER_SECONDS.into());
                    }
                    _ if is_unknown_reference && has_location => Code::Unprocessable,
                    _ => Code::Conflict,
                };
                Self::from_diagnostic(code, diagnostic)
            }
        }
    }
}

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::InvalidRequest(diagnostics) => Self::diagnostics(Code::InvalidRequest, diagnostics),
            ServiceError::InvalidFilter(diagnostics) => Self::diagnostics(Code::InvalidFilter, diagnostics),
            ServiceError::NotFound(resource) => Self::not_found(resource),
            ServiceError::InvalidToken => {
                Self::unauthorized(Code::InvalidToken, "the speech token is unknown or revoked")
            }
            ServiceError::NotVisible => {
                Self::new(Code::NotFound, "this token can't read a transcript of this call").without_request_id()
            }
            ServiceError::TranscriptionCancelled => Self::new(Code::TranscriptionCancelled, error.to_string()),
            ServiceError::TranscriptionFailed(reason) => {
                Self::new(Code::TranscriptionFailed, work::transcription_failed(reason))
            }
            ServiceError::TranscriptPurged => Self::new(Code::TranscriptPurged, error.to_string()),
            ServiceError::CursorExpired { oldest } => {
                let message = conflict::cursor_expired(oldest.to_string());
                let diagnostic = Diagnostic::new(Location::Parameter("after".to_owned()), "cursor_expired", message);
                Self::from_diagnostic(Code::CursorExpired, diagnostic.permitted([oldest.to_string().as_str()]))
            }
            ServiceError::RejectedRowsPurged => Self::new(Code::RejectedRowsPurged, error.to_string()),
            ServiceError::RequestInProgress => Self::new(Code::InFlight, error.to_string())
                .with_header(header::RETRY_AFTER, RETRY_AFTER_SECONDS.into()),
            ServiceError::UnusableRecording(detail) => Self::new(Code::UnusableRecording, detail),
            ServiceError::StorageQuotaExceeded(exceeded) => {
                Self::too_many_requests(exceeded.to_string(), exceeded.retry_after_seconds)
            }
            ServiceError::TooManyImports => Self::overloaded(error.to_string()),
            ServiceError::Login(error) => error.into(),
            ServiceError::Password(error) => error.into(),
            ServiceError::Write(error) => error.into(),
            ServiceError::Store(error) => error.into(),
            error @ (ServiceError::RecordingStore(_) | ServiceError::File(_)) if is_disk_full(&error) => {
                unavailable(error)
            }
            ServiceError::RecordingStore(ref cause) if is_remote_error(cause) => unavailable(error),
            error @ (ServiceError::DamagedRecording(_)
            | ServiceError::RecordingStore(_)
            | ServiceError::File(_)
            | ServiceError::Task(_)
            | ServiceError::BackgroundTask(_)) => Self::internal(error),
        }
    }
}

impl From<LoginError> for Problem {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::WrongCredentials => Self::unauthorized(Code::InvalidLogin, error.to_string()),
            LoginError::TooManyAttempts { seconds } => {
                Self::too_many_requests(work::too_many_attempts(seconds), seconds)
            }
            LoginError::Store(error) => error.into(),
            LoginError::Password(error) => error.into(),
        }
    }
}

impl From<PasswordError> for Problem {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Busy => Self::overloaded(error.to_string()),
            PasswordError::Hashing(_) | PasswordError::Task(_) => Self::internal(error),
        }
    }
}

/// 503: the same request may succeed later.
fn unavailable(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Problem {
    let problem = Problem::new(Code::Unavailable, "storage is unavailable; retry later");
    Problem { cause: Some(cause.into()), ..problem }.with_header(header::RETRY_AFTER, RETRY_AFTER_SECONDS.into())
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
    use leadscribe_engine::diagnostic::{Diagnostic, Location, work};

    use super::{Code, Problem, ServiceError};
    use crate::storage::{StoreError, TooManyBoundValues, WriteError};

    #[test]
    fn keeps_cause_private() {
        for (error, code) in [
            (StoreError::Failed("no such table: lead".into()), Code::Internal),
            (StoreError::Unavailable("database is locked".into()), Code::Unavailable),
        ] {
            let problem = Problem::from(error);
            assert_eq!(problem.code(), code);
            assert!(problem.cause().is_some());
            let json = serde_json::to_string(&problem.to_document("r1")).expect("JSON");
            assert!(!json.contains("table") && !json.contains("locked"), "{json}");
        }
    }

    #[test]
    fn full_disk_is_temporary() {
        let storage_full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        assert_eq!(Problem::from(ServiceError::File(storage_full)).code(), Code::Unavailable);
        let not_found = std::io::Error::from(std::io::ErrorKind::NotFound);
        assert_eq!(Problem::from(ServiceError::File(not_found)).code(), Code::Internal);
    }

    #[test]
    fn unavailable_store_sets_retry_after() {
        let response = Problem::from(StoreError::Unavailable("busy".into())).into_response("r1");
        assert_eq!(response.status(), 503);
        assert_eq!(response.headers()[header::RETRY_AFTER], "2");
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
    }

    #[test]
    fn duplicate_is_409_and_unknown_reference_is_422() {
        let problem_code = |pointer: &str, code: &str| {
            let diagnostic = Diagnostic::new(Location::Pointer(pointer.to_owned()), code, work::no_recognizer());
            Problem::from(WriteError::Refused(diagnostic)).code()
        };
        assert_eq!(problem_code("/name", "taken"), Code::Conflict);
        assert_eq!(problem_code("/lead_id", "unknown_lead"), Code::Unprocessable);
        assert_eq!(problem_code("", "role_required"), Code::Forbidden);
    }

    #[test]
    fn filter_with_too_many_values_is_bad_request() {
        let problem = Problem::from(StoreError::Failed(Box::new(TooManyBoundValues(40_000))));
        assert_eq!((problem.code(), problem.code().status().as_u16()), (Code::InvalidFilter, 400));
    }
}
