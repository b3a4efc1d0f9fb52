//! Submits calls to speech recognition.
//!
//! The order of the checks is part of the contract. First the body is validated and all its errors are reported; then the
//! token is checked, before the calls are looked up; then each call gets an outcome, in one transaction that is durable
//! before the response.

use leadscribe_engine::api::{CallId, CallOutcome, CancelledTranscriptions, SubmissionResponse, TokenId};
use leadscribe_engine::diagnostic::{self, Diagnostic, Location, common};
use leadscribe_engine::submission::{self, MAX_CALL_IDS, Submission, SubmissionRules, TokenRule};
use sha2::{Digest, Sha256};

use crate::service::app::App;
use crate::service::auth::credentials;
use crate::service::error::{Result, ServiceError};
use crate::speech::model;
use crate::storage::{AuditContext, IdempotencyKey, SubmitOutcome, WriteError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubmissionOwner {
    /// The token whose secret is in the body. Integrations submit this way.
    TokenInBody,
    /// The token that a user selected.
    Token(TokenId),
}

/// A submission as received.
#[derive(Clone, Debug)]
pub struct SubmissionRequest<'a> {
    /// JSON text of the body.
    pub text: &'a str,
    pub owner: SubmissionOwner,
    /// True to return the outcomes without queueing anything.
    pub dry_run: bool,
    /// Idempotency key of the client, 1 to 255 visible ASCII characters. Ignored in a dry run.
    pub idempotency_key: Option<&'a str>,
}

/// Response to a submission.
#[derive(Clone, Debug, PartialEq)]
pub struct SubmissionResult {
    /// Outcomes of the calls.
    pub response: SubmissionResponse,
    /// True if this repeats the response to an earlier submission with the same idempotency key.
    pub replayed: bool,
}

/// Decides on every call of a submission and queues the accepted ones.
///
/// # Errors
/// The body is invalid (all errors are reported); the token isn't valid; the idempotency key is in use or was used for
/// another submission; the token has used its storage quota for replayed responses; or storage failed. Nothing is
/// queued then.
pub async fn submit(app: &App, request: &SubmissionRequest<'_>, audit: &AuditContext) -> Result<SubmissionResult> {
    let token = match request.owner {
        SubmissionOwner::TokenInBody => TokenRule::Required,
        SubmissionOwner::Token(_) => TokenRule::Absent,
    };
    let rules = SubmissionRules { token, languages: Some(model::languages(&app.config)) };
    let submission = submission::parse(request.text, &rules).map_err(ServiceError::InvalidRequest)?;
    let token = match request.owner {
        SubmissionOwner::TokenInBody => credentials::token_by_secret(app, &submission.token).await?,
        SubmissionOwner::Token(id) => {
            credentials::use_token(app, id).await?;
            id
        }
    };
    // A dry run has no effect, so it needs no idempotency key.
    let key = request.idempotency_key.filter(|_| !request.dry_run);
    let _guard = match key {
        Some(key) => Some(
            app.running_submissions.try_acquire((token, key.to_owned())).ok_or(ServiceError::SubmissionInProgress)?,
        ),
        None => None,
    };
    let (reservation, quota_error) =
        match key.map(|_| app.storage_quota.reserve_response(token, submission.call_ids.len())) {
            Some(Ok(reservation)) => (reservation, None),
            Some(Err(quota_error)) => (app.storage_quota.empty_reservation(token), Some(quota_error)),
            None => (app.storage_quota.empty_reservation(token), None),
        };
    let idempotency = key.map(|key| IdempotencyKey {
        key: key.to_owned(),
        fingerprint: fingerprint(&submission),
        can_store: quota_error.is_none(),
    });
    // Attribute anonymous requests to the token.
    let mut audit = audit.clone();
    if audit.actor == AuditContext::ANONYMOUS {
        audit.actor = token.subject();
    }
    let outcome = match app.store.submit(&submission, token, request.dry_run, idempotency.as_ref(), &audit).await {
        Ok(outcome) => outcome,
        Err(error) => {
            let error = WriteError::Store(error);
            reservation.keep_if_stored(Err(&error));
            return Err(error.into());
        }
    };
    if let SubmitOutcome::Done(response) = &outcome {
        let outcomes = response.results.calls.values();
        let accepted = outcomes.filter(|outcome| matches!(outcome, CallOutcome::Accepted { .. })).count();
        reservation.keep_response(submission.call_ids.len() - accepted, accepted);
    } else {
        reservation.release();
    }
    match outcome {
        SubmitOutcome::Done(response) => {
            if !request.dry_run {
                app.notifiers.transcriptions.notify_one();
            }
            Ok(SubmissionResult { response, replayed: false })
        }
        SubmitOutcome::Replayed(response) => Ok(SubmissionResult { response, replayed: true }),
        SubmitOutcome::KeyReused => Err(ServiceError::IdempotencyKeyReused),
        SubmitOutcome::NotStored => {
            Err(quota_error.map_or(ServiceError::SubmissionInProgress, ServiceError::StorageQuotaExceeded))
        }
    }
}

/// Cancels unfinished transcriptions of calls, of any token. The calls can be submitted again.
///
/// # Errors
/// The list is empty, too long or has an invalid id; or storage failed. Nothing is cancelled then.
pub async fn cancel(app: &App, calls: &[CallId], audit: &AuditContext) -> Result<CancelledTranscriptions> {
    let mut diagnostics = Vec::new();
    if !(1..=MAX_CALL_IDS).contains(&calls.len()) {
        let message = common::expected(diagnostic::submission::call_ids(MAX_CALL_IDS), calls.len());
        diagnostics.push(Diagnostic::new(Location::Pointer("/call_ids".to_owned()), "out_of_range", message));
    }
    for (index, call) in calls.iter().enumerate().filter(|(_, call)| call.0 < 1).take(MAX_CALL_IDS) {
        let detail = format!("expected an id of 1 or more, found {call}");
        diagnostics.push(Diagnostic::new(Location::Pointer(format!("/call_ids/{index}")), "out_of_range", detail));
    }
    if !diagnostics.is_empty() {
        return Err(ServiceError::InvalidRequest(diagnostics));
    }
    let cancelled = app.store.cancel_transcriptions(calls, audit).await?;
    app.changes.request_poll();
    Ok(CancelledTranscriptions { cancelled })
}

/// Returns the SHA-256 of a submission's content. It doesn't depend on how the body is formatted.
fn fingerprint(submission: &Submission) -> [u8; 32] {
    let content = (
        &submission.call_ids,
        &submission.languages,
        submission.recording_side,
        submission.min_duration,
        submission.from,
        submission.till,
    );
    let text = serde_json::to_vec(&content).expect("lists, numbers and texts can be serialized");
    Sha256::digest(text).into()
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{CallId, RecordingSide};
    use serde_json::json;

    use super::*;
    use crate::worker::testing::{self, ScriptedRecognizer, TestInstallation};

    #[tokio::test]
    async fn rejects_repeat_while_first_submission_is_in_progress() {
        let installation = TestInstallation::empty(|_| ());
        let app = installation.create_app(ScriptedRecognizer::provider(&[]));
        let (token, call, audit) = (
            testing::create_token(&app).await,
            testing::create_recorded_call(&app).await,
            testing::audit_context(&app),
        );
        let text = json!({ "call_ids": [call], "languages": ["en"], "recording_side": "both" }).to_string();
        let request = SubmissionRequest {
            text: &text,
            owner: SubmissionOwner::Token(token),
            dry_run: false,
            idempotency_key: Some("a"),
        };
        let guard = app.running_submissions.try_acquire((token, "a".to_owned()));
        let result = submit(&app, &request, &audit).await;
        assert!(matches!(result, Err(ServiceError::SubmissionInProgress)), "{result:?}");
        let dry_run = SubmissionRequest { dry_run: true, ..request.clone() };
        assert!(!submit(&app, &dry_run, &audit).await.expect("a dry run").replayed);
        drop(guard);
        assert!(!submit(&app, &request, &audit).await.expect("the first submission").replayed);
        assert!(submit(&app, &request, &audit).await.expect("the first submission is done").replayed);
    }

    #[test]
    fn fingerprint_ignores_the_token() {
        let submission = Submission {
            call_ids: vec![CallId(1), CallId(2)],
            token: "secret".to_owned(),
            languages: vec!["en".to_owned()],
            recording_side: RecordingSide::Both,
            min_duration: 1,
            from: None,
            till: None,
        };
        let same = Submission { token: "another".to_owned(), ..submission.clone() };
        let other = Submission { min_duration: 2, ..submission.clone() };
        assert_eq!(fingerprint(&submission), fingerprint(&same));
        assert_ne!(fingerprint(&submission), fingerprint(&other));
    }
}
