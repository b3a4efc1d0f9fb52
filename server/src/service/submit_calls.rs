//! Submits calls to speech recognition.
//!
//! The order of the checks is part of the contract. First the body is validated and all its faults are reported; then the
//! token is checked, before the calls are looked up; then each call gets a verdict, in one transaction that is durable
//! before the response.

use leadscribe_engine::api::{CallId, CallOutcome, CancelledTranscriptions, SubmissionResponse, TokenId};
use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leadscribe_engine::submission::{self, MAX_CALL_IDS, Rules, Submission, TokenRule};
use sha2::{Digest, Sha256};

use super::credentials;
use super::error::ServiceError;
use crate::app::App;
use crate::speech::model;
use crate::storage::{IdempotencyKey, Origin, SubmitOutcome, WriteError};

/// Owner of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The token whose secret is in the body, as for integrations.
    InBody,
    /// This token, as for staff.
    Token(TokenId),
}

/// A submission as received.
#[derive(Clone, Debug)]
pub struct SubmitCalls<'a> {
    /// JSON text of the body.
    pub text: &'a str,
    /// Owner of the submission.
    pub owner: Owner,
    /// True to return the verdicts only.
    pub dry_run: bool,
    /// Idempotency key of the client, 1 to 255 visible ASCII characters. Ignored in a dry run.
    pub key: Option<&'a str>,
}

/// Response to a submission.
#[derive(Clone, Debug, PartialEq)]
pub struct Submitted {
    /// Verdicts.
    pub response: SubmissionResponse,
    /// True if this repeats the response to an earlier submission with the same idempotency key.
    pub replayed: bool,
}

/// Decides on every call of a submission and queues the accepted ones.
///
/// # Errors
/// The body is invalid (all faults are reported); the token isn't valid; the idempotency key is in use or was used for
/// another submission; the token has used its storage allowance for replayed responses; or storage failed. Nothing is
/// queued then.
pub async fn submit(app: &App, sent: &SubmitCalls<'_>, by: &Origin) -> Result<Submitted, ServiceError> {
    let token = match sent.owner {
        Owner::InBody => TokenRule::Required,
        Owner::Token(_) => TokenRule::Absent,
    };
    let rules = Rules { token, languages: Some(model::languages(&app.config)) };
    let submission = submission::read(sent.text, &rules).map_err(ServiceError::InvalidRequest)?;
    let token = match sent.owner {
        Owner::InBody => credentials::token_by_secret(app, &submission.token).await?,
        Owner::Token(id) => {
            credentials::use_token(app, id).await?;
            id
        }
    };
    // A dry run has no effect, so it needs no idempotency key.
    let key = sent.key.filter(|_| !sent.dry_run);
    let _turn = match key {
        Some(key) => Some(app.in_flight.enter((token, key.to_owned())).ok_or(ServiceError::InFlight)?),
        None => None,
    };
    let (reserved, used) = match key.map(|_| app.allowance.reserve_answer(token, submission.call_ids.len())) {
        Some(Ok(reserved)) => (reserved, None),
        Some(Err(used)) => (app.allowance.nothing(token), Some(used)),
        None => (app.allowance.nothing(token), None),
    };
    let idempotency = key.map(|key| IdempotencyKey {
        key: key.to_owned(),
        fingerprint: fingerprint(&submission),
        may_store: used.is_none(),
    });
    // Attribute anonymous requests to the token.
    let mut by = by.clone();
    if by.actor == Origin::ANONYMOUS {
        by.actor = token.subject();
    }
    let outcome = match app.store.submit(&submission, token, sent.dry_run, idempotency.as_ref(), &by).await {
        Ok(outcome) => outcome,
        Err(error) => {
            let error = WriteError::Store(error);
            reserved.keep_if_stored(Err(&error));
            return Err(error.into());
        }
    };
    if let SubmitOutcome::Done(response) = &outcome {
        let outcomes = response.results.calls.values();
        let accepted = outcomes.filter(|outcome| matches!(outcome, CallOutcome::Accepted { .. })).count();
        reserved.keep_answer(submission.call_ids.len() - accepted, accepted);
    } else {
        reserved.release();
    }
    match outcome {
        SubmitOutcome::Done(response) => {
            if !sent.dry_run {
                app.bells.transcriptions.notify_one();
            }
            Ok(Submitted { response, replayed: false })
        }
        SubmitOutcome::Replayed(response) => Ok(Submitted { response, replayed: true }),
        SubmitOutcome::KeyReused => Err(ServiceError::KeyReused),
        SubmitOutcome::NotStored => Err(used.map_or(ServiceError::InFlight, ServiceError::AllowanceUsed)),
    }
}

/// Cancels unfinished transcriptions of calls, of any token. The calls can be submitted again.
///
/// # Errors
/// The list is empty, too long or has an invalid id; or storage failed. Nothing is cancelled then.
pub async fn cancel(app: &App, calls: &[CallId], by: &Origin) -> Result<CancelledTranscriptions, ServiceError> {
    let mut faults = Vec::new();
    if !(1..=MAX_CALL_IDS).contains(&calls.len()) {
        let detail = format!("expected 1 to {MAX_CALL_IDS} ids, found {}", calls.len());
        faults.push(Diagnostic::new(Place::Pointer("/call_ids".to_owned()), "out_of_range", detail));
    }
    for (index, call) in calls.iter().enumerate().filter(|(_, call)| call.0 < 1).take(MAX_CALL_IDS) {
        let detail = format!("expected an id of 1 or more, found {call}");
        faults.push(Diagnostic::new(Place::Pointer(format!("/call_ids/{index}")), "out_of_range", detail));
    }
    if !faults.is_empty() {
        return Err(ServiceError::InvalidRequest(faults));
    }
    let cancelled = app.store.cancel_transcriptions(calls, by).await?;
    app.changes.look_soon();
    Ok(CancelledTranscriptions { cancelled })
}

/// Returns the SHA-256 of the meaning of a submission, independent of the notation of its body.
fn fingerprint(submission: &Submission) -> [u8; 32] {
    let asked = (
        &submission.call_ids,
        &submission.languages,
        submission.recording_side,
        submission.min_duration,
        submission.from,
        submission.till,
    );
    let text = serde_json::to_vec(&asked).expect("lists, numbers and texts always make JSON");
    Sha256::digest(text).into()
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{CallId, RecordingSide};
    use serde_json::json;

    use super::*;
    use crate::worker::testing::{self, Data, Scripted};

    #[tokio::test]
    async fn rejects_repeat_while_first_submission_is_in_progress() {
        let data = Data::empty(|_| ());
        let app = data.process(Scripted::provider(&[]));
        let (token, call, by) = (testing::token(&app).await, testing::recorded_call(&app).await, testing::by(&app));
        let text = json!({ "call_ids": [call], "languages": ["en"], "recording_side": "both" }).to_string();
        let sent = SubmitCalls { text: &text, owner: Owner::Token(token), dry_run: false, key: Some("a") };
        let turn = app.in_flight.enter((token, "a".to_owned()));
        let refused = submit(&app, &sent, &by).await;
        assert!(matches!(refused, Err(ServiceError::InFlight)), "{refused:?}");
        let dry = SubmitCalls { dry_run: true, ..sent.clone() };
        assert!(!submit(&app, &dry, &by).await.expect("nothing to repeat").replayed);
        drop(turn);
        assert!(!submit(&app, &sent, &by).await.expect("its turn").replayed);
        assert!(submit(&app, &sent, &by).await.expect("the turn is over").replayed);
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
