//! One attempt of a delivery: claim it with all its data, then finish or release it.

use chrono::TimeDelta;
use leadscribe_engine::api::*;

use super::{DELIVERY_COLUMNS, of_webhooks, read_delivery, secrets};
use crate::storage::sql::endpoint_queue::{self, ClaimResult};
use crate::storage::sql::queue::{DELIVERIES, Transition};
use crate::storage::sql::{Row, Session, binds, calls, campaigns, imports, leads, record, transcripts};
use crate::storage::{
    AttemptResult, Claim, ClaimedDelivery, DeliveredRecords, Event, FencedWrite, Result, TranscriptionOutcome,
};

/// Loads the records that a delivery sends; `None` if they include a transcript that was purged. A search delivers no transcription, only
/// transcripts.
fn load_content(
    session: &dyn Session,
    delivery: &Delivery,
    event: Option<&Event>,
    transcription: Option<TranscriptionId>,
) -> Result<Option<DeliveredRecords>> {
    let mut records = DeliveredRecords::default();
    let call = delivery.call_id.or_else(|| {
        let of_call =
            |event: &&Event| matches!(event.event_type, WebhookEvent::CallCreated | WebhookEvent::RecordingReady);
        event.filter(of_call).map(|event| CallId(event.record_id))
    });
    records.call = call.map(|id| calls::find(session, id)).transpose()?.flatten();
    let (mut lead, mut campaign) =
        records.call.as_ref().map(|call| (call.lead_id, call.campaign_id)).unwrap_or_default();
    match event.map(|event| (event.event_type, event.record_id)) {
        None | Some((WebhookEvent::TranscriptCompleted | WebhookEvent::TranscriptionFailed, _)) => {
            let Some(call) = &records.call else { return Ok(None) };
            let transcription = transcription.map(|id| transcripts::find_transcription(session, id)).transpose()?;
            records.outcome = match transcription.filter(|ended| ended.state != TranscriptionState::Completed) {
                Some(ended) => Some(TranscriptionOutcome::NotTranscribed(ended)),
                None => match transcripts::find(session, call.id)? {
                    Some(transcript) => Some(TranscriptionOutcome::Transcribed(transcript)),
                    None => return Ok(None),
                },
            };
        }
        Some((WebhookEvent::LeadChanged | WebhookEvent::LeadDeleted, id)) => lead = Some(LeadId(id)),
        Some((WebhookEvent::CampaignLeadChanged | WebhookEvent::CampaignLeadDeleted, id)) => {
            records.campaign_lead = record::find(session, id)?;
            if let Some(entry) = &records.campaign_lead {
                (lead, campaign) = (Some(entry.lead_id), Some(entry.campaign_id));
            }
        }
        Some((WebhookEvent::ImportFinished, id)) => records.import = imports::find(session, ImportId(id))?,
        Some((WebhookEvent::CallCreated | WebhookEvent::RecordingReady | WebhookEvent::Test, _)) => {}
    }
    records.lead = lead.map(|id| leads::find(session, id)).transpose()?.flatten();
    records.campaign = campaign.map(|id| campaigns::find(session, id)).transpose()?.flatten();
    Ok(Some(records))
}

pub(super) fn claim(session: &dyn Session, lease: TimeDelta, now: Timestamp) -> Result<ClaimResult<ClaimedDelivery>> {
    let Claim { id, fencing_token } = match endpoint_queue::claim(session, lease, now)? {
        ClaimResult::Entry(claim) => claim,
        ClaimResult::NothingDue => return Ok(ClaimResult::NothingDue),
        ClaimResult::Retry => return Ok(ClaimResult::Retry),
    };
    let sql = format!(
        "SELECT {DELIVERY_COLUMNS}, attempts - attempts_before_replay, transcription_id FROM deliveries WHERE id = ?1"
    );
    let read_row =
        |row: &dyn Row| Ok((read_delivery(row)?, row.json_or_null(15)?, row.get(16)?, row.get::<Option<i64>>(17)?));
    let (delivery, event, attempt, transcription) = session.query_one(&sql, &binds![id], read_row)?;
    let content = match delivery.call_id.is_some() || event.is_some() {
        true => load_content(session, &delivery, event.as_ref(), transcription.map(TranscriptionId))?,
        false => None,
    };
    let secrets = secrets::valid_secrets(session, &delivery, now)?;
    Ok(ClaimResult::Entry(ClaimedDelivery {
        claim: Claim { id: delivery.id, fencing_token },
        delivery,
        attempt,
        secrets,
        event,
        content,
    }))
}

pub(super) fn finish(
    session: &dyn Session,
    claim: Claim<DeliveryId>,
    attempt: &DeliveryAttempt,
    result: AttemptResult,
    now: Timestamp,
) -> Result<FencedWrite> {
    let Claim { id, fencing_token } = claim;
    let transition = match result {
        AttemptResult::Retry(due) => Transition::Requeue(due),
        AttemptResult::Delivered => Transition::End(DeliveryState::Delivered.as_str()),
        AttemptResult::Failed => Transition::End(DeliveryState::Failed.as_str()),
        AttemptResult::Stopped => Transition::End(DeliveryState::Stopped.as_str()),
    };
    if DELIVERIES.finish_claim(session, Claim { id: id.0, fencing_token }, transition, now)? == FencedWrite::ClaimLost {
        return Ok(FencedWrite::ClaimLost);
    }
    if matches!(result, AttemptResult::Retry(_)) {
        of_webhooks::follow_or_hold(session, id, now)?;
        endpoint_queue::lower_due_time(session, id)?;
    }
    session.execute(
        "UPDATE deliveries SET last_status = ?2, last_error = ?3 WHERE id = ?1",
        &binds![id.0, attempt.status, attempt.error],
    )?;
    session.execute(
        "INSERT INTO delivery_attempts (delivery_id, number, at, duration_ms, status, error)
         VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM delivery_attempts WHERE delivery_id = ?1), ?2, ?3, ?4, ?5)",
        &binds![id.0, attempt.started_at, attempt.duration_ms, attempt.status, attempt.error],
    )?;
    if matches!(result, AttemptResult::Failed) {
        of_webhooks::report_lost_event(session, id, now)?;
    }
    if matches!(result, AttemptResult::Stopped) {
        session.execute(
            "UPDATE deliveries SET state = 'stopped', finished_at = ?2, changed_at = ?2
             WHERE request_id = (SELECT request_id FROM deliveries WHERE id = ?1) AND state IN ('waiting', 'queued')",
            &binds![id.0, now],
        )?;
        of_webhooks::pause_gone(session, id, now)?;
    }
    Ok(FencedWrite::Done)
}

/// Releases a delivery as if the attempt had not been started.
pub(super) fn release(session: &dyn Session, claim: Claim<DeliveryId>, now: Timestamp) -> Result<FencedWrite> {
    let Claim { id, fencing_token } = claim;
    let released = DELIVERIES.finish_claim(session, Claim { id: id.0, fencing_token }, Transition::Release, now)?;
    if released == FencedWrite::Done {
        of_webhooks::follow_or_hold(session, id, now)?;
        endpoint_queue::lower_due_time(session, id)?;
    }
    Ok(released)
}

fn read_attempt(row: &dyn Row) -> Result<DeliveryAttempt> {
    Ok(DeliveryAttempt {
        number: row.get(0)?,
        started_at: row.get(1)?,
        duration_ms: row.get(2)?,
        status: row.get(3)?,
        error: row.get(4)?,
    })
}

pub(super) fn list_for_delivery(session: &dyn Session, id: DeliveryId) -> Result<Vec<DeliveryAttempt>> {
    session.query(
        "SELECT number, at, duration_ms, status, error FROM delivery_attempts WHERE delivery_id = ?1 ORDER BY number",
        &binds![id.0],
        read_attempt,
    )
}
