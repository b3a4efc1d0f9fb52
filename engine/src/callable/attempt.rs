//! The effect of a call on its campaign lead: the call is counted and recorded as the last one, and the lead is frozen for the campaign's
//! freeze time.

use chrono::TimeDelta;

use crate::api::{Call, CampaignLead, Direction, Timestamp};
use crate::filter::calls_today;
use crate::time;

/// Returns the campaign lead after a call that is reported at `now`. `None` if the call isn't an attempt or changes nothing.
///
/// An attempt is an outbound call, whatever its outcome. A campaign lead's counts are up to date as of its `last_call_at`, so a call that
/// began no later is already counted. Late reports and duplicates therefore don't count twice. The freeze of `freeze_minutes` starts when
/// the call ended, and never shortens a longer one.
///
/// A start or end in the future is treated as `now`. Otherwise a call reported by a clock that is ahead would hide all calls until then.
pub fn after_call(before: &CampaignLead, call: &Call, freeze_minutes: u32, now: Timestamp) -> Option<CampaignLead> {
    let began = call.started_at.unwrap_or(call.created_at).min(now);
    let is_news = before.last_call_at.is_none_or(|last| began > last);
    if call.direction != Direction::Outbound || !is_news {
        return None;
    }
    let ended = call.ended_at.map_or(began, |ended| ended.min(now));
    Some(CampaignLead {
        calls_count: before.calls_count.saturating_add(1),
        calls_today: calls_today(before, began).saturating_add(1),
        last_call_at: Some(began),
        last_call_status: Some(call.status.to_string()),
        freeze_until: before.freeze_until.max(freeze(ended, freeze_minutes)),
        ..before.clone()
    })
}

/// Returns the end of the freeze. `None` without a freeze, or if its end is out of range.
fn freeze(from: Timestamp, minutes: u32) -> Option<Timestamp> {
    let until = if minutes == 0 { None } else { from.checked_add_signed(TimeDelta::minutes(minutes.into())) };
    until.filter(|until| time::is_in_years(*until))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{CallId, CallStatus, CampaignId, CampaignLeadId, LeadId};
    use crate::record::{CallRecord, CampaignLeadRecord};

    fn at(text: &str) -> Timestamp {
        time::parse(text).expect(text)
    }

    fn new() -> CampaignLead {
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
    fn after(before: &CampaignLead, call: &Call, freeze_minutes: u32) -> Option<CampaignLead> {
        after_call(before, call, freeze_minutes, at("2026-05-02T12:00:00Z"))
    }

    #[test]
    fn counts_attempts_and_freezes_the_lead() {
        let first = after(&new(), &call("2026-05-01T09:00:00Z", CallStatus::Busy), 30).unwrap();
        let expected = CampaignLead {
            calls_count: 1,
            calls_today: 1,
            last_call_at: Some(at("2026-05-01T09:00:00Z")),
            last_call_status: Some("busy".to_owned()),
            freeze_until: Some(at("2026-05-01T09:30:00Z")),
            ..new()
        };
        assert_eq!(first, expected);

        let long =
            Call { ended_at: Some(at("2026-05-01T23:58:00Z")), ..call("2026-05-01T23:50:00Z", CallStatus::Answered) };
        let second = after(&first, &long, 30).unwrap();
        assert_eq!((second.calls_count, second.calls_today), (2, 2));
        assert_eq!(second.freeze_until, Some(at("2026-05-02T00:28:00Z")), "from when it ended");

        let third = after(&second, &call("2026-05-02T00:00:00Z", CallStatus::NoAnswer), 0).unwrap();
        assert_eq!((third.calls_count, third.calls_today), (3, 1), "a day has its own count");
        assert_eq!(third.freeze_until, second.freeze_until, "no freeze, and none taken away");
    }

    #[test]
    fn ignores_inbound_duplicate_and_late_calls() {
        let news = call("2026-05-01T09:00:00Z", CallStatus::Answered);
        let known = after(&new(), &news, 30).unwrap();
        assert_eq!(after(&known, &news, 30), None, "it is told twice");
        assert_eq!(after(&known, &call("2026-04-30T09:00:00Z", CallStatus::Busy), 30), None, "it is in the counts");
        assert_eq!(after(&new(), &Call { direction: Direction::Inbound, ..news.clone() }, 30), None);
        // A call without a start counts from its creation.
        let unknown = after(&new(), &Call { started_at: None, ..news }, 30).unwrap();
        assert_eq!(unknown.last_call_at, Some(at("2026-05-01T12:00:00Z")));
    }

    #[test]
    fn keeps_a_longer_freeze() {
        let frozen = CampaignLead { freeze_until: Some(at("2026-06-01T00:00:00Z")), ..new() };
        let called = after(&frozen, &call("2026-05-01T09:00:00Z", CallStatus::Busy), 30).unwrap();
        assert_eq!(called.freeze_until, frozen.freeze_until);
        let last = at("9999-12-31T23:59:59Z");
        let endless = after_call(&new(), &call("9999-12-31T23:59:59Z", CallStatus::Busy), 1, last).unwrap();
        assert_eq!((endless.calls_count, endless.freeze_until), (1, None), "no text can say when");
    }

    #[test]
    fn clamps_future_calls_to_now() {
        let now = at("2026-05-01T12:00:00Z");
        let ahead = call("2062-05-01T09:00:00Z", CallStatus::Busy);
        let ahead = Call { ended_at: Some(at("2062-05-01T09:10:00Z")), ..ahead };
        let counted = after_call(&new(), &ahead, 30, now).unwrap();
        assert_eq!((counted.calls_count, counted.last_call_at), (1, Some(now)));
        assert_eq!(counted.freeze_until, Some(at("2026-05-01T12:30:00Z")));
        let next =
            after_call(&counted, &call("2026-05-01T12:05:00Z", CallStatus::Busy), 30, at("2026-05-01T12:06:00Z"));
        assert_eq!(next.unwrap().calls_today, 2);
    }
}
