//! Serializes campaign leads directly to bytes. For a page with a thousand of them, serde takes longer than finding the page. A test
//! checks that the output equals serde's.

use leadscribe_engine::api::{CampaignId, CampaignLeadId, NotCallableReason, Timestamp, UserId};
use leadscribe_engine::json::{write_text, write_time, write_value};

use crate::service::leads::lead_lookup::JudgedCampaignLead;

/// A value that serializes itself to JSON.
trait WriteJson {
    fn write_json(&self, output: &mut Vec<u8>);
}

/// Implements [`WriteJson`] with serde_json for types where it has no overhead.
macro_rules! write_with_serde {
    ($($type:ty),+) => {$(
        impl WriteJson for $type {
            fn write_json(&self, output: &mut Vec<u8>) {
                write_value(self, output);
            }
        }
    )+};
}

write_with_serde!(bool, i64, u32, CampaignId, CampaignLeadId, UserId);

impl WriteJson for String {
    fn write_json(&self, output: &mut Vec<u8>) {
        write_text(self, output);
    }
}

impl WriteJson for Timestamp {
    fn write_json(&self, output: &mut Vec<u8>) {
        write_time(*self, output);
    }
}

impl<T: WriteJson> WriteJson for Option<T> {
    fn write_json(&self, output: &mut Vec<u8>) {
        match self {
            Some(value) => value.write_json(output),
            None => output.extend_from_slice(b"null"),
        }
    }
}

/// Serializes a list with `write_item` for each item.
pub(super) fn write_list<T>(
    items: impl IntoIterator<Item = T>,
    output: &mut Vec<u8>,
    mut write_item: impl FnMut(T, &mut Vec<u8>),
) {
    output.push(b'[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            output.push(b',');
        }
        write_item(item, output);
    }
    output.push(b']');
}

/// Serializes the named members in this order, the first without a leading comma.
macro_rules! members {
    ($output:ident; $first:ident: $value:expr $(, $member:ident: $next:expr)* $(,)?) => {
        $output.extend_from_slice(concat!("\"", stringify!($first), "\":").as_bytes());
        $value.write_json($output);
        $(
            $output.extend_from_slice(concat!(",\"", stringify!($member), "\":").as_bytes());
            $next.write_json($output);
        )*
    };
}

/// Serializes a campaign lead of an extended lookup in the form of `CampaignDetails`.
pub(super) fn write_campaign_lead(judged: &JudgedCampaignLead<'_>, output: &mut Vec<u8>) {
    let JudgedCampaignLead { campaign_lead, campaign, verdict } = judged;
    output.push(b'{');
    members!(output;
        campaign_lead_id: campaign_lead.id,
        campaign_id: campaign_lead.campaign_id,
        campaign_name: campaign.name,
        status: campaign_lead.status,
        weight: campaign_lead.weight,
        calls_count: campaign_lead.calls_count,
        calls_today: campaign_lead.calls_today,
        last_call_at: campaign_lead.last_call_at,
        last_call_status: campaign_lead.last_call_status,
        freeze_until: campaign_lead.freeze_until,
        callback_at: campaign_lead.callback_at,
        assigned_user_id: campaign_lead.assigned_user_id,
        created_at: campaign_lead.created_at,
        updated_at: campaign_lead.updated_at,
        callable: verdict.is_callable(),
    );
    output.extend_from_slice(b",\"not_callable_reasons\":");
    write_list(&verdict.reasons, output, write_reason);
    if let Some(next) = &verdict.next_callable_at {
        output.extend_from_slice(b",\"next_callable_at\":");
        next.write_json(output);
    }
    output.push(b'}');
}

/// Serializes a reason not to call a lead.
pub(super) fn write_reason(reason: &NotCallableReason, output: &mut Vec<u8>) {
    output.extend_from_slice(b"{\"code\":");
    write_text(reason.code.as_str(), output);
    if let Some(until) = &reason.until {
        output.extend_from_slice(b",\"until\":");
        until.write_json(output);
    }
    output.extend_from_slice(b",\"detail\":");
    reason.detail.write_json(output);
    output.push(b'}');
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
        let now = Timestamp::UNIX_EPOCH;
        let frozen = NotCallableReason {
            code: NotCallableCode::Frozen,
            until: Some(now + TimeDelta::microseconds(1)),
            detail: "frozen \"until\" then".to_owned(),
        };
        let inactive = NotCallableReason { code: NotCallableCode::CampaignInactive, until: None, ..frozen.clone() };
        let name = Some("Spring \"\u{e9}\"\n".to_owned());
        let campaign = CampaignRecord { name, ..CampaignRecord::default() }.create(CampaignId(2), now);
        let record = CampaignLeadRecord {
            lead_id: Some(LeadId(1)),
            campaign_id: Some(CampaignId(2)),
            ..CampaignLeadRecord::default()
        };
        let mut campaign_lead = record.create(CampaignLeadId(5), now).unwrap();
        campaign_lead.weight = -3;
        campaign_lead.calls_count = 4;
        campaign_lead.calls_today = 1;
        let campaign = &campaign.unwrap();
        let without_optional_values = campaign_lead.clone();
        let without_optional_values =
            JudgedCampaignLead { campaign_lead: &without_optional_values, campaign, verdict: Verdict::default() };
        campaign_lead.last_call_at = Some(now);
        campaign_lead.last_call_status = Some("busy".to_owned());
        campaign_lead.freeze_until = Some(now + TimeDelta::milliseconds(5));
        campaign_lead.callback_at = Some(now + TimeDelta::days(5));
        campaign_lead.assigned_user_id = Some(UserId(9));
        let verdict = Verdict { reasons: vec![inactive, frozen], next_callable_at: Some(now) };
        let with_optional_values = JudgedCampaignLead { campaign_lead: &campaign_lead, campaign, verdict };
        for judged in [with_optional_values, without_optional_values] {
            let mut output = Vec::new();
            super::write_campaign_lead(&judged, &mut output);
            let details = CampaignDetails::from(judged);
            assert_eq!(String::from_utf8(output).unwrap(), serde_json::to_string(&details).unwrap());
        }
    }
}
