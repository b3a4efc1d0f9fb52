//! The effect of a call on its campaign lead: the call is counted and recorded as the last one, and the lead is frozen for the campaign's
//! freeze time.

use chrono::TimeDelta;

use crate::api::{Call, CampaignLead, Direction, Timestamp};
use crate::filter::calls_today;
use crate::time;

/// Returns the campaign lead after a call that is reported at `now`. `None` if the call isn't an attempt or changes nothing.
///
/// An attempt is an outbound call, whatever its outcome. A call that began at or before `last_call_at` counts as reported before, so late
/// reports and duplicates change nothing. The freeze of `freeze_minutes` starts when the call ended, and never shortens a longer one.
///
/// A start or end in the future is treated as `now`. Otherwise, after a report from a clock that is ahead, all calls until that time would
/// be ignored.
pub fn after_call(
    campaign_lead: &CampaignLead,
    call: &Call,
    freeze_minutes: u32,
    now: Timestamp,
) -> Option<CampaignLead> {
    let started_at = call.started_at.unwrap_or(call.created_at).min(now);
    let is_newer = campaign_lead.last_call_at.is_none_or(|last| started_at > last);
    if call.direction != Direction::Outbound || !is_newer {
        return None;
    }
    let ended_at = call.ended_at.map_or(started_at, |ended_at| ended_at.min(now));
    Some(CampaignLead {
        calls_count: campaign_lead.calls_count.saturating_add(1),
        calls_today: calls_today(campaign_lead, started_at).saturating_add(1),
        last_call_at: Some(started_at),
        last_call_status: Some(call.status.to_string()),
        freeze_until: campaign_lead.freeze_until.max(freeze_end(ended_at, freeze_minutes)),
        ..campaign_lead.clone()
    })
}

/// Returns the end of the freeze. `None` without a freeze, or if its end is out of range.
fn freeze_end(start: Timestamp, minutes: u32) -> Option<Timestamp> {
    let end = if minutes == 0 { None } else { start.checked_add_signed(TimeDelta::minutes(minutes.into())) };
    end.filter(|end| time::is_supported_year(*end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{CallId, CallStatus, CampaignId, CampaignLeadId, LeadId};
    use crate::record::{CallRecord, CampaignLeadRecord};

    fn at(text: &str) -> Timestamp {
        time::parse(text).expect(text)
    }

    fn new_campaign_lead() -> CampaignLead {
        let record = CampaignLeadRecord {
            lead_id: Some(LeadId(1)),
            campaign_id: Some(CampaignId(7)),
            ..CampaignLeadRecord::default()
        };
        record.create(CampaignLeadId(5), at("2026-01-01T00:00:00Z")).expect("lead and campaign are given")
    }

    fn call(started: &str, status: CallStatus) -> Call {
        let record = CallRecord {
            direction: Some(Direction::Outbound),
            status: Some(status),
            started_at: Some(Some(at(started))),
            ..CallRecord::default()
        };
        record.create(CallId(1), at("2026-05-01T12:00:00Z")).expect("direction and status are given")
    }

    /// Applies a call that is reported long after its end.
    fn apply_later(campaign_lead: &CampaignLead, call: &Call, freeze_minutes: u32) -> Option<CampaignLead> {
        after_call(campaign_lead, call, freeze_minutes, at("2026-05-02T12:00:00Z"))
    }

    #[test]
    fn counts_attempts_and_freezes_the_lead() {
        let first = apply_later(&new_campaign_lead(), &call("2026-05-01T09:00:00Z", CallStatus::Busy), 30).unwrap();
        let expected = CampaignLead {
            calls_count: 1,
            calls_today: 1,
            last_call_at: Some(at("2026-05-01T09:00:00Z")),
            last_call_status: Some("busy".to_owned()),
            freeze_until: Some(at("2026-05-01T09:30:00Z")),
            ..new_campaign_lead()
        };
        assert_eq!(first, expected);

        let long =
            Call { ended_at: Some(at("2026-05-01T23:58:00Z")), ..call("2026-05-01T23:50:00Z", CallStatus::Answered) };
        let second = apply_later(&first, &long, 30).unwrap();
        assert_eq!((second.calls_count, second.calls_today), (2, 2));
        assert_eq!(second.freeze_until, Some(at("2026-05-02T00:28:00Z")), "the freeze starts at the end of the call");

        let third = apply_later(&second, &call("2026-05-02T00:00:00Z", CallStatus::NoAnswer), 0).unwrap();
        assert_eq!((third.calls_count, third.calls_today), (3, 1), "the daily count restarts");
        assert_eq!(third.freeze_until, second.freeze_until, "a freeze time of 0 keeps the existing freeze");
    }

    #[test]
    fn ignores_inbound_duplicate_and_late_calls() {
        let first_call = call("2026-05-01T09:00:00Z", CallStatus::Answered);
        let updated = apply_later(&new_campaign_lead(), &first_call, 30).unwrap();
        assert_eq!(apply_later(&updated, &first_call, 30), None, "the call was already counted");
        assert_eq!(
            apply_later(&updated, &call("2026-04-30T09:00:00Z", CallStatus::Busy), 30),
            None,
            "a call from before the last one isn't counted"
        );
        assert_eq!(
            apply_later(&new_campaign_lead(), &Call { direction: Direction::Inbound, ..first_call.clone() }, 30),
            None
        );
        // A call without a start counts from its creation.
        let without_start = apply_later(&new_campaign_lead(), &Call { started_at: None, ..first_call }, 30).unwrap();
        assert_eq!(without_start.last_call_at, Some(at("2026-05-01T12:00:00Z")));
    }

    #[test]
    fn keeps_a_longer_freeze() {
        let frozen = CampaignLead { freeze_until: Some(at("2026-06-01T00:00:00Z")), ..new_campaign_lead() };
        let updated = apply_later(&frozen, &call("2026-05-01T09:00:00Z", CallStatus::Busy), 30).unwrap();
        assert_eq!(updated.freeze_until, frozen.freeze_until);
        let last_second = at("9999-12-31T23:59:59Z");
        let out_of_range =
            after_call(&new_campaign_lead(), &call("9999-12-31T23:59:59Z", CallStatus::Busy), 1, last_second).unwrap();
        assert_eq!(
            (out_of_range.calls_count, out_of_range.freeze_until),
            (1, None),
            "the freeze would end after the year 9999"
        );
    }

    #[test]
    fn clamps_future_calls_to_now() {
        let now = at("2026-05-01T12:00:00Z");
        let future_call = call("2062-05-01T09:00:00Z", CallStatus::Busy);
        let future_call = Call { ended_at: Some(at("2062-05-01T09:10:00Z")), ..future_call };
        let updated = after_call(&new_campaign_lead(), &future_call, 30, now).unwrap();
        assert_eq!((updated.calls_count, updated.last_call_at), (1, Some(now)));
        assert_eq!(updated.freeze_until, Some(at("2026-05-01T12:30:00Z")));
        let next =
            after_call(&updated, &call("2026-05-01T12:05:00Z", CallStatus::Busy), 30, at("2026-05-01T12:06:00Z"));
        assert_eq!(next.unwrap().calls_today, 2);
    }
}
