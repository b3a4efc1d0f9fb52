//! Serialises campaign leads directly to bytes. A page of leads has a thousand of them, and serde takes longer than finding the page. A
//! test compares the two outputs.

use leadscribe_engine::api::{CampaignId, CampaignLeadId, NotCallableReason, Timestamp, UserId};
use leadscribe_engine::json::{write_text, write_time, write_value};

use crate::service::look_up_leads::JudgedCampaignLead;

/// A value that serialises itself to JSON.
trait Json {
    fn write(&self, to: &mut Vec<u8>);
}

/// Implements [`Json`] with serde_json for types where it has no overhead.
macro_rules! through_serde {
    ($($type:ty),+) => {$(
        impl Json for $type {
            fn write(&self, to: &mut Vec<u8>) {
                write_value(self, to);
            }
        }
    )+};
}

through_serde!(bool, i64, u32, CampaignId, CampaignLeadId, UserId);

impl Json for String {
    fn write(&self, to: &mut Vec<u8>) {
        write_text(self, to);
    }
}

impl Json for Timestamp {
    fn write(&self, to: &mut Vec<u8>) {
        write_time(*self, to);
    }
}

impl<T: Json> Json for Option<T> {
    fn write(&self, to: &mut Vec<u8>) {
        match self {
            Some(value) => value.write(to),
            None => to.extend_from_slice(b"null"),
        }
    }
}

/// Serialises a list with `element` for each item.
pub(super) fn list<T>(all: impl IntoIterator<Item = T>, to: &mut Vec<u8>, mut element: impl FnMut(T, &mut Vec<u8>)) {
    to.push(b'[');
    for (place, one) in all.into_iter().enumerate() {
        if place > 0 {
            to.push(b',');
        }
        element(one, to);
    }
    to.push(b']');
}

/// Serialises the named members in this order, the first without a leading comma.
macro_rules! members {
    ($to:ident; $first:ident: $value:expr $(, $member:ident: $next:expr)* $(,)?) => {
        $to.extend_from_slice(concat!("\"", stringify!($first), "\":").as_bytes());
        $value.write($to);
        $(
            $to.extend_from_slice(concat!(",\"", stringify!($member), "\":").as_bytes());
            $next.write($to);
        )*
    };
}

/// Serialises a campaign lead of an extended look-up in the form of `CampaignDetails`.
pub(super) fn campaign_lead(judged: &JudgedCampaignLead<'_>, to: &mut Vec<u8>) {
    let JudgedCampaignLead { campaign_lead: one, campaign, verdict } = judged;
    to.push(b'{');
    members!(to;
        campaign_lead_id: one.id,
        campaign_id: one.campaign_id,
        campaign_name: campaign.name,
        status: one.status,
        weight: one.weight,
        calls_count: one.calls_count,
        calls_today: one.calls_today,
        last_call_at: one.last_call_at,
        last_call_status: one.last_call_status,
        freeze_until: one.freeze_until,
        callback_at: one.callback_at,
        assigned_user_id: one.assigned_user_id,
        created_at: one.created_at,
        updated_at: one.updated_at,
        callable: verdict.is_callable(),
    );
    to.extend_from_slice(b",\"not_callable_reasons\":");
    list(&verdict.reasons, to, reason);
    if let Some(next) = &verdict.next_callable_at {
        to.extend_from_slice(b",\"next_callable_at\":");
        next.write(to);
    }
    to.push(b'}');
}

/// Serialises a reason that blocks calls.
pub(super) fn reason(reason: &NotCallableReason, to: &mut Vec<u8>) {
    to.extend_from_slice(b"{\"code\":");
    write_text(reason.code.as_str(), to);
    if let Some(until) = &reason.until {
        to.extend_from_slice(b",\"until\":");
        until.write(to);
    }
    to.extend_from_slice(b",\"detail\":");
    reason.detail.write(to);
    to.push(b'}');
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use leadscribe_engine::api::{CampaignDetails, LeadId, NotCallableCode};
    use leadscribe_engine::callable::Verdict;
    use leadscribe_engine::record::{CampaignLeadRecord, CampaignRecord};

    use super::*;

    #[test]
    fn output_matches_serde() {
        let at = Timestamp::UNIX_EPOCH;
        let frozen = NotCallableReason {
            code: NotCallableCode::Frozen,
            until: Some(at + TimeDelta::microseconds(1)),
            detail: "frozen \"until\" then".to_owned(),
        };
        let inactive = NotCallableReason { code: NotCallableCode::CampaignInactive, until: None, ..frozen.clone() };
        let name = Some("Spring \"\u{e9}\"\n".to_owned());
        let campaign = CampaignRecord { name, ..CampaignRecord::default() }.create(CampaignId(2), at);
        let record = CampaignLeadRecord {
            lead_id: Some(LeadId(1)),
            campaign_id: Some(CampaignId(2)),
            ..CampaignLeadRecord::default()
        };
        let mut campaign_lead = record.create(CampaignLeadId(5), at).unwrap();
        campaign_lead.weight = -3;
        campaign_lead.calls_count = 4;
        campaign_lead.calls_today = 1;
        let campaign = &campaign.unwrap();
        let bare = campaign_lead.clone();
        let bare = JudgedCampaignLead { campaign_lead: &bare, campaign, verdict: Verdict::default() };
        campaign_lead.last_call_at = Some(at);
        campaign_lead.last_call_status = Some("busy".to_owned());
        campaign_lead.freeze_until = Some(at + TimeDelta::milliseconds(5));
        campaign_lead.callback_at = Some(at + TimeDelta::days(5));
        campaign_lead.assigned_user_id = Some(UserId(9));
        let verdict = Verdict { reasons: vec![inactive, frozen], next_callable_at: Some(at) };
        let full = JudgedCampaignLead { campaign_lead: &campaign_lead, campaign, verdict };
        for judged in [full, bare] {
            let mut written = Vec::new();
            super::campaign_lead(&judged, &mut written);
            let details = CampaignDetails::from(judged);
            assert_eq!(String::from_utf8(written).unwrap(), serde_json::to_string(&details).unwrap());
        }
    }
}
