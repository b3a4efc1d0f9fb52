//! Sending calls to speech recognition.
//!
//! The order of the checks is part of the contract: faults of the body first, all at once; then the token, before any
//! look at the calls; then the calls, one verdict each, in one transaction that is on disk before the answer.

use leadscribe_engine::api::{CallId, CallOutcome, CancelledTranscriptions, SubmissionResponse, TokenId};
use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::submission::{self, MAX_CALL_IDS, Rules, Submission, TokenRule};
use sha2::{Digest, Sha256};

use super::credentials;
use super::error::ServiceError;
use crate::app::App;
use crate::speech::model;
use crate::storage::{IdempotencyKey, Origin, SubmitOutcome, WriteError};

/// Who owns what is submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The token that the body names by its secret, as integrators do.
    InBody,
    /// This token, as staff do.
    Token(TokenId),
}

/// A submission as it was sent.
#[derive(Clone, Debug)]
pub struct SubmitCalls<'a> {
    /// The body, JSON text.
    pub text: &'a str,
    /// Who owns what is submitted.
    pub owner: Owner,
    /// Whether only the verdicts are asked for.
    pub dry_run: bool,
    /// The sender's idempotency key, 1 to 255 visible ASCII characters. A dry run has no use for it.
    pub key: Option<&'a str>,
}

/// The answer to a submission.
#[derive(Clone, Debug, PartialEq)]
pub struct Submitted {
    /// The verdicts.
    pub response: SubmissionResponse,
    /// Whether this is the answer to an earlier submission with the same idempotency key.
    pub replayed: bool,
}

/// Decides on every call of a submission, and queues those accepted.
///
/// # Errors
/// Every fault of the body, at once; the token isn't valid; the idempotency key is in use or was used for something
/// else; the answers that keys of the token replay are as large as they may be; or the store failed. Then nothing is queued.
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
    // A dry run has no effect that could be had twice.
    let key = sent.key.filter(|_| !sent.dry_run);
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
    let _turn = match key.map(|key| app.in_flight.enter((token, key.to_owned()))) {
        Some(None) => {
            reserved.release();
            return Err(ServiceError::InFlight);
        }
        turn => turn,
    };
    // Whoever shows nothing but the token is known by it.
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
    match outcome {
        SubmitOutcome::Done(response) => {
            let outcomes = response.results.calls.values();
            let accepted = outcomes.filter(|outcome| matches!(outcome, CallOutcome::Accepted { .. })).count();
            reserved.keep_answer(submission.call_ids.len() - accepted, accepted);
            if !sent.dry_run {
                app.bells.transcriptions.notify_one();
            }
            Ok(Submitted { response, replayed: false })
        }
        SubmitOutcome::Replayed(response) => {
            reserved.release();
            Ok(Submitted { response, replayed: true })
        }
        SubmitOutcome::KeyReused => {
            reserved.release();
            Err(ServiceError::KeyReused)
        }
        SubmitOutcome::NotStored => Err(used.map_or(ServiceError::InFlight, ServiceError::AllowanceUsed)),
    }
}

/// Gives up the work on calls that were sent, of any token, as long as it isn't finished. They can be sent again.
///
/// # Errors
/// There are none or too many of them, or one that can be no id; or the store failed. Then nothing is given up.
pub async fn cancel(app: &App, calls: &[CallId], by: &Origin) -> Result<CancelledTranscriptions, ServiceError> {
    let mut faults = Vec::new();
    if !(1..=MAX_CALL_IDS).contains(&calls.len()) {
        let detail = format!("expected 1 to {MAX_CALL_IDS} ids, found {}", calls.len());
        faults.push(Fault::new(Place::Pointer("/call_ids".to_owned()), "out_of_range", detail));
    }
    for (index, call) in calls.iter().enumerate().filter(|(_, call)| call.0 < 1).take(MAX_CALL_IDS) {
        let detail = format!("expected an id of 1 or more, found {call}");
        faults.push(Fault::new(Place::Pointer(format!("/call_ids/{index}")), "out_of_range", detail));
    }
    if !faults.is_empty() {
        return Err(ServiceError::InvalidRequest(faults));
    }
    let cancelled = app.store.cancel_transcriptions(calls, by).await?;
    app.changes.look_soon();
    Ok(CancelledTranscriptions { cancelled })
}

/// SHA-256 of what a submission asks for, however its body was written.
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
    async fn a_repeat_is_refused_while_the_first_is_carried_out() {
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
    fn a_fingerprint_is_of_what_is_asked_for() {
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
