//! Submits calls to speech recognition.
//!
//! The order of the checks is part of the contract. First the body is validated and all its errors are reported; then the
//! token is checked, before the calls are looked up; then each call gets an outcome, in one transaction that is durable
//! before the response.

use leadscribe_engine::api::{CallId, CallOutcome, CancelledTranscriptions, SubmissionResponse, TokenId};
use leadscribe_engine::callback::CallbackTarget;
use leadscribe_engine::diagnostic::{self, Diagnostic, Location, common};
use leadscribe_engine::submission::{self, MAX_CALL_IDS, Submission, SubmissionRules, TokenRule};

use super::storage_quota::SubmissionStorage;
use crate::service::app::App;
use crate::service::auth::credentials;
use crate::service::deliveries;
use crate::service::error::{Result, ServiceError};
use crate::speech::model;
use crate::storage::{AuditContext, IDEMPOTENCY_KEY_NOT_STORED, WriteError};

/// Token that owns the transcriptions.
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
    /// Token that owns the transcriptions.
    pub owner: SubmissionOwner,
    /// True to return the outcomes without queueing anything.
    pub dry_run: bool,
}

/// Decides on every call of a submission and queues the accepted ones.
///
/// # Errors
/// The body is invalid (all errors are reported); the token isn't valid; the idempotency key is in use or was used for
/// another submission; the token has used its storage quota for replayed responses; or storage failed. Nothing is
/// queued then.
pub async fn submit(app: &App, request: &SubmissionRequest<'_>, audit: &AuditContext) -> Result<SubmissionResponse> {
    let token = match request.owner {
        SubmissionOwner::TokenInBody => TokenRule::Required,
        SubmissionOwner::Token(_) => TokenRule::Absent,
    };
    let submission = parse(app, request.text, token).map_err(ServiceError::InvalidRequest)?;
    let token = match request.owner {
        SubmissionOwner::TokenInBody => credentials::token_by_secret(app, &submission.token).await?,
        SubmissionOwner::Token(id) => {
            credentials::use_token(app, id).await?;
            id
        }
    };
    // Attribute anonymous requests to the token.
    let mut audit = audit.clone();
    if audit.actor == AuditContext::ANONYMOUS {
        audit.actor = token.subject();
    }
    // A dry run has no effect, so it needs no idempotency key. Keys belong to the token.
    let key = audit.idempotency.take().filter(|_| !request.dry_run);
    let key = key.map(|key| key.with_content(content(&submission)).owned_by(token.subject()));
    let _guard = match &key {
        Some(key) => {
            let in_flight = (key.owner.clone(), key.key.clone());
            Some(app.keyed_requests.try_acquire(in_flight).ok_or(ServiceError::RequestInProgress)?)
        }
        None => None,
    };
    let stored_template = match &submission.callback {
        Some(target) if !request.dry_run => target.template.text(),
        _ => "",
    };
    let storage = SubmissionStorage { has_key: key.is_some(), template: stored_template };
    let (reservation, quota_error) =
        match app.storage_quota.reserve_submission(token, storage, submission.call_ids.len()) {
            Ok(reservation) => (reservation, None),
            // The response to an earlier submission can still be repeated.
            Err(quota_error) if key.is_some() => (app.storage_quota.empty_reservation(token), Some(quota_error)),
            Err(quota_error) => return Err(quota_error.into()),
        };
    audit.idempotency = key.map(|key| key.with_storage(quota_error.is_none()));
    let max_pending = app.config.callbacks.max_pending_deliveries;
    let response = match app.store.submit(&submission, token, request.dry_run, max_pending, &audit).await {
        Ok(response) => response,
        Err(error) => {
            reservation.keep_if_stored(Err(&error));
            return Err(match (error, quota_error) {
                (WriteError::Refused(refusal), Some(quota_error)) if refusal.code == IDEMPOTENCY_KEY_NOT_STORED => {
                    quota_error.into()
                }
                (error, _) => error.into(),
            });
        }
    };
    if audit.is_replayed() {
        reservation.release();
        return Ok(response);
    }
    let outcomes = response.results.calls.values();
    let accepted = outcomes.filter(|outcome| matches!(outcome, CallOutcome::Accepted { .. })).count();
    reservation.keep_submission(storage, submission.call_ids.len() - accepted, accepted);
    if !request.dry_run {
        app.notifiers.transcriptions.notify_one();
    }
    Ok(response)
}

/// Parses a submission, with the permitted form of its callback URL.
fn parse(app: &App, text: &str, token: TokenRule) -> Result<Submission, Vec<Diagnostic>> {
    let location = Location::Pointer("/callback_url".to_owned());
    let check_url = |url: &str| deliveries::check_url(app, url, &location).err().unwrap_or_default();
    let languages = Some(model::languages(&app.config));
    let mut submission =
        submission::parse(text, &SubmissionRules { token, languages, callback_url: Some(&check_url) })?;
    if let Some(target) = &mut submission.callback {
        target.url = deliveries::check_url(app, &target.url, &location)?;
    }
    Ok(submission)
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
        let message = common::expected(common::integer_from_one(), call.0);
        diagnostics.push(Diagnostic::new(Location::Pointer(format!("/call_ids/{index}")), "out_of_range", message));
    }
    if !diagnostics.is_empty() {
        return Err(ServiceError::InvalidRequest(diagnostics));
    }
    let cancelled = app.store.cancel_transcriptions(calls, audit).await?;
    app.notifiers.deliveries.notify_one();
    app.changes.request_poll();
    Ok(CancelledTranscriptions { cancelled })
}

/// Returns a submission's content. It doesn't depend on how the body is formatted, or on the token's secret.
fn content(submission: &Submission) -> Vec<u8> {
    let callback =
        submission.callback.as_ref().map(|CallbackTarget { url, method, template }| (url, method, template.text()));
    let content = (
        &submission.call_ids,
        &submission.languages,
        submission.recording_side,
        submission.min_duration,
        submission.from,
        submission.till,
        callback,
    );
    serde_json::to_vec(&content).expect("lists, numbers and texts can be serialized")
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{CallId, RecordingSide};
    use serde_json::json;

    use super::*;
    use crate::storage::IdempotencyKey;
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
        let request = SubmissionRequest { text: &text, owner: SubmissionOwner::Token(token), dry_run: false };
        let key = IdempotencyKey::new("user:1".to_owned(), "a".to_owned(), "");
        let audit = AuditContext { idempotency: Some(key.clone()), ..audit };
        let guard = app.keyed_requests.try_acquire((token.subject(), "a".to_owned()));
        let result = submit(&app, &request, &audit).await;
        assert!(matches!(result, Err(ServiceError::RequestInProgress)), "{result:?}");
        let dry_run = SubmissionRequest { dry_run: true, ..request.clone() };
        submit(&app, &dry_run, &audit).await.expect("a dry run");
        drop(guard);
        let first = submit(&app, &request, &audit).await.expect("the first submission");
        assert!(!key.is_replayed());
        assert_eq!(submit(&app, &request, &audit).await.expect("the first submission is done"), first);
        assert!(key.is_replayed());
    }

    #[test]
    fn content_has_no_token() {
        let submission = Submission {
            call_ids: vec![CallId(1), CallId(2)],
            token: "secret".to_owned(),
            languages: vec!["en".to_owned()],
            recording_side: RecordingSide::Both,
            min_duration: 1,
            from: None,
            till: None,
            callback: None,
        };
        let same = Submission { token: "another".to_owned(), ..submission.clone() };
        let other = Submission { min_duration: 2, ..submission.clone() };
        assert_eq!(content(&submission), content(&same));
        assert_ne!(content(&submission), content(&other));
    }

    #[test]
    fn content_covers_the_callback() {
        let rules = SubmissionRules { token: TokenRule::Absent, languages: None, callback_url: None };
        let content_with = |members: &str| {
            let text = format!(r#"{{"call_ids":[1],"languages":["en"],"recording_side":"both"{members}}}"#);
            content(&submission::parse(&text, &rules).expect("a submission"))
        };
        let callback = |members: &str| content_with(&format!(r#","callback_url":"https://a/"{members}"#));
        let contents = [
            content_with(""),
            content_with(r#","callback_url":"https://b/""#),
            callback(""),
            callback(r#","callback_method":"PUT""#),
            callback(r#","callback_data":"[]""#),
        ];
        assert_eq!(std::collections::BTreeSet::from(contents.clone()).len(), contents.len());
        assert_eq!(callback(""), callback(r#","callback_method":"POST""#));
    }
}
