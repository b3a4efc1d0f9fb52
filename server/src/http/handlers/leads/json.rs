//! Campaign leads as JSON, written straight to bytes: a page of leads has a thousand of them, and serde's general way takes
//! longer than finding the page. A test compares the two.

use leadscribe_engine::api::{CampaignDetails, CampaignId, CampaignLeadId, NotCallableReason, Timestamp, UserId};
use leadscribe_engine::time;
use serde::Serialize;

/// A value that knows its JSON.
trait Json {
    fn write(&self, to: &mut Vec<u8>);
}

/// Types that serde_json writes without detours.
macro_rules! through_serde {
    ($($type:ty),+) => {$(
        impl Json for $type {
            fn write(&self, to: &mut Vec<u8>) {
                general(self, to);
            }
        }
    )+};
}

through_serde!(bool, i64, u32, String, CampaignId, CampaignLeadId, UserId, NotCallableReason);

/// Anything, in serde's general way.
pub(super) fn general(value: &(impl Serialize + ?Sized), to: &mut Vec<u8>) {
    serde_json::to_writer(to, value).expect("wire types have string keys and no failing serialisers");
}

impl Json for Timestamp {
    fn write(&self, to: &mut Vec<u8>) {
        to.push(b'"');
        time::write(to, *self);
        to.push(b'"');
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

impl<T: Json> Json for Vec<T> {
    fn write(&self, to: &mut Vec<u8>) {
        list(self, to, Json::write);
    }
}

/// A list, each of whose elements `element` writes.
pub(super) fn list<T>(all: &[T], to: &mut Vec<u8>, mut element: impl FnMut(&T, &mut Vec<u8>)) {
    to.push(b'[');
    for (place, one) in all.iter().enumerate() {
        if place > 0 {
            to.push(b',');
        }
        element(one, to);
    }
    to.push(b']');
}

/// Writes the named members, in this order, the first without a comma before it.
macro_rules! members {
    ($to:ident, $from:ident; $first:ident $(, $member:ident)+) => {
        $to.extend_from_slice(concat!("\"", stringify!($first), "\":").as_bytes());
        $from.$first.write($to);
        $(
            $to.extend_from_slice(concat!(",\"", stringify!($member), "\":").as_bytes());
            $from.$member.write($to);
        )+
    };
}

/// A campaign lead of an extended look-up.
pub(super) fn campaign(details: &CampaignDetails, to: &mut Vec<u8>) {
    to.push(b'{');
    members!(to, details; campaign_lead_id, campaign_id, campaign_name, status, weight, calls_count, calls_today,
        last_call_at, last_call_status, freeze_until, callback_at, assigned_user_id, created_at, updated_at, callable,
        not_callable_reasons);
    if let Some(next) = &details.next_callable_at {
        to.extend_from_slice(b",\"next_callable_at\":");
        next.write(to);
    }
    to.push(b'}');
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use leadscribe_engine::api::NotCallableCode;

    use super::*;

    #[test]
    fn what_is_written_is_what_serde_writes() {
        let at = Timestamp::UNIX_EPOCH;
        let frozen = NotCallableReason {
            code: NotCallableCode::Frozen,
            until: Some(at + TimeDelta::microseconds(1)),
            detail: "frozen \"until\" then".to_owned(),
        };
        let full = CampaignDetails {
            campaign_lead_id: CampaignLeadId(1),
            campaign_id: CampaignId(2),
            campaign_name: "Spring \"\u{e9}\"\n".to_owned(),
            status: "new".to_owned(),
            weight: -3,
            calls_count: 4,
            calls_today: 1,
            last_call_at: Some(at),
            last_call_status: Some("busy".to_owned()),
            freeze_until: Some(at + TimeDelta::milliseconds(5)),
            callback_at: None,
            assigned_user_id: Some(UserId(9)),
            created_at: at,
            updated_at: at,
            callable: false,
            not_callable_reasons: vec![frozen.clone(), frozen],
            next_callable_at: Some(at),
        };
        let bare = CampaignDetails {
            last_call_at: None,
            last_call_status: None,
            assigned_user_id: None,
            not_callable_reasons: Vec::new(),
            next_callable_at: None,
            ..full.clone()
        };
        for details in [full, bare] {
            let mut written = Vec::new();
            campaign(&details, &mut written);
            assert_eq!(String::from_utf8(written).unwrap(), serde_json::to_string(&details).unwrap());
        }
    }
}
