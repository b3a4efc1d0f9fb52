//! The answers of look-ups, with all members of a lead or those asked for, written straight to bytes.

use leadscribe_engine::json::{write_text, write_value};
use leadscribe_lead_index::Members;

use super::json;
use crate::http::reply::{self, Response};
use crate::service::look_up_leads::LeadsFound;

/// Bytes of a lead with two campaigns, about: so that an answer seldom has to be moved while it is written.
const LEAD_BYTES: usize = 2_048;

/// The answer of the extended look-up.
pub fn extended(found: &LeadsFound) -> Response {
    let asked = |name: &str| found.fields.as_ref().is_none_or(|fields| fields.contains(name));
    let (campaigns, reasons) = (asked("campaigns"), asked("not_callable_reasons"));
    page(found, found.judged(), |lead, members, to| {
        lead.lead.write_json(members, to);
        if campaigns {
            to.extend_from_slice(b",\"campaigns\":");
            json::list(&lead.campaigns, to, json::campaign_lead);
        }
        if reasons {
            to.extend_from_slice(b",\"not_callable_reasons\":");
            json::list(&lead.not_callable_reasons, to, json::reason);
        }
    })
}

/// The answer of the basic look-up.
pub fn basic(found: &LeadsFound) -> Response {
    page(found, &found.found.leads, |lead, members, to| lead.lead.write_json(members, to))
}

/// A page of leads, each of which `write` writes but for its closing brace. A lead's id is always among its members.
fn page<L>(
    found: &LeadsFound,
    leads: impl IntoIterator<Item = L>,
    write: impl Fn(L, Members, &mut Vec<u8>),
) -> Response {
    let members = Members::of(found.fields.as_ref());
    let mut to = Vec::with_capacity(256 + found.found.leads.len() * LEAD_BYTES);
    to.extend_from_slice(b"{\"leads\":");
    json::list(leads, &mut to, |lead, to| {
        write(lead, members, to);
        to.push(b'}');
    });
    to.extend_from_slice(b",\"total_leads\":");
    write_value(&found.found.total, &mut to);
    if let Some(cursor) = &found.next_cursor {
        to.extend_from_slice(b",\"next_cursor\":");
        write_text(cursor, &mut to);
    }
    to.push(b'}');
    reply::bytes("application/json", to)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use http_body_util::BodyExt;
    use leadscribe_engine::api::{ExtendedLead, ExtendedLeadsResponse, LeadId, Timestamp};
    use leadscribe_engine::filter;
    use leadscribe_engine::record::LeadRecord;
    use leadscribe_lead_index::PackedLead;
    use serde_json::{Value, json};

    use super::*;
    use crate::storage::{Found, FoundLead};

    fn found(fields: Option<BTreeSet<String>>) -> LeadsFound {
        let record = LeadRecord { first_name: Some(Some("Ada".to_owned())), ..LeadRecord::default() };
        let lead = PackedLead::pack(&record.create(LeadId(7), Timestamp::UNIX_EPOCH));
        let lead = FoundLead { lead, campaign_leads: Vec::new(), in_campaign: true };
        let found = Found { leads: vec![lead.clone(), lead], total: 3, ..Found::default() };
        LeadsFound { found, now: Timestamp::UNIX_EPOCH, next_cursor: Some("a\"bc".to_owned()), fields }
    }

    async fn text(answer: Response) -> String {
        String::from_utf8(answer.into_body().collect().await.unwrap().to_bytes().into()).unwrap()
    }

    async fn value(answer: Response) -> Value {
        serde_json::from_str(&text(answer).await).unwrap()
    }

    #[tokio::test]
    async fn the_whole_answer_is_what_serde_writes() {
        let found = found(None);
        let leads = found.judged().map(|judged| ExtendedLead {
            lead: judged.lead.to_lead(),
            campaigns: Vec::new(),
            not_callable_reasons: judged.not_callable_reasons,
        });
        let whole =
            ExtendedLeadsResponse { leads: leads.collect(), total_leads: 3, next_cursor: found.next_cursor.clone() };
        assert_eq!(text(extended(&found)).await, serde_json::to_string(&whole).unwrap());
    }

    #[tokio::test]
    async fn every_member_can_be_asked_for() {
        let all = filter::members().map(str::to_owned).collect();
        assert_eq!(value(extended(&found(Some(all)))).await, value(extended(&found(None))).await);
    }

    #[tokio::test]
    async fn only_what_is_asked_for_is_answered() {
        let fields = BTreeSet::from(["id".to_owned(), "first_name".to_owned(), "campaigns".to_owned()]);
        let page = |lead: Value| json!({ "leads": [lead, lead], "total_leads": 3, "next_cursor": "a\"bc" });
        let projected = found(Some(fields));
        let with_campaigns = json!({ "id": 7, "first_name": "Ada", "campaigns": [] });
        assert_eq!(value(extended(&projected)).await, page(with_campaigns));
        assert_eq!(value(basic(&projected)).await, page(json!({ "id": 7, "first_name": "Ada" })));
        assert_eq!(value(basic(&found(None))).await["leads"][0].get("campaigns"), None);
    }
}
