//! Look-up responses with all or selected members of a lead, serialised directly to bytes.

use std::collections::BTreeSet;

use leadscribe_engine::json::{write_text, write_value};
use leadscribe_lead_index::Members;

use super::json;
use crate::http::reply::{self, Response};
use crate::service::look_up_leads::{JudgedLead, LeadsFound};

/// Typical size of a serialised lead, and of one with two campaigns, in bytes. Avoids reallocations while serialising.
const LEAD_BYTES: usize = 1_024;
pub(super) const EXTENDED_BYTES: usize = 2_048;

/// Returns the response of the extended look-up.
pub fn extended(found: &LeadsFound) -> Response {
    let asked = Asked::of(found.fields.as_ref());
    page(found, found.judged(), EXTENDED_BYTES, |lead, _, to| asked.write(&lead, to))
}

/// Returns a page of leads as JSON lines, each as in the extended look-up.
pub fn lines(found: &LeadsFound) -> Vec<u8> {
    let asked = Asked::of(found.fields.as_ref());
    let mut to = Vec::with_capacity(found.page.leads.len() * EXTENDED_BYTES);
    for lead in found.judged() {
        asked.write(&lead, &mut to);
        to.extend_from_slice(b"}\n");
    }
    to
}

/// Members of a lead to serialise.
#[derive(Clone, Copy)]
struct Asked {
    members: Members,
    campaigns: bool,
    reasons: bool,
}

impl Asked {
    fn of(fields: Option<&BTreeSet<String>>) -> Self {
        let asked = |name: &str| fields.is_none_or(|fields| fields.contains(name));
        Self { members: Members::of(fields), campaigns: asked("campaigns"), reasons: asked("not_callable_reasons") }
    }

    /// Appends a lead without its closing brace.
    fn write(self, lead: &JudgedLead<'_>, to: &mut Vec<u8>) {
        lead.lead.write_json(self.members, to);
        if self.campaigns {
            to.extend_from_slice(b",\"campaigns\":");
            json::list(&lead.campaigns, to, json::campaign_lead);
        }
        if self.reasons {
            to.extend_from_slice(b",\"not_callable_reasons\":");
            json::list(&lead.not_callable_reasons, to, json::reason);
        }
    }
}

/// Returns the response of the basic look-up.
pub fn basic(found: &LeadsFound) -> Response {
    page(found, &found.page.leads, LEAD_BYTES, |lead, members, to| lead.lead.write_json(members, to))
}

/// Serialises a page of leads of about `bytes` bytes each. `write` omits the closing brace of the lead. The id of a lead is always among
/// its members.
fn page<L>(
    found: &LeadsFound,
    leads: impl IntoIterator<Item = L>,
    bytes: usize,
    write: impl Fn(L, Members, &mut Vec<u8>),
) -> Response {
    let members = Members::of(found.fields.as_ref());
    let mut to = Vec::with_capacity(256 + found.page.leads.len() * bytes);
    to.extend_from_slice(b"{\"leads\":");
    json::list(leads, &mut to, |lead, to| {
        write(lead, members, to);
        to.push(b'}');
    });
    to.extend_from_slice(b",\"total_leads\":");
    write_value(&found.page.total, &mut to);
    if let Some(cursor) = &found.next_cursor {
        to.extend_from_slice(b",\"next_cursor\":");
        write_text(cursor, &mut to);
    }
    to.push(b'}');
    reply::bytes("application/json", to)
}

#[cfg(test)]
mod tests {
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
        let page = Found { leads: vec![lead.clone(), lead], total: 3, ..Found::default() };
        LeadsFound { page, now: Timestamp::UNIX_EPOCH, next_cursor: Some("a\"bc".to_owned()), fields }
    }

    async fn text(answer: Response) -> String {
        String::from_utf8(answer.into_body().collect().await.unwrap().to_bytes().into()).unwrap()
    }

    async fn value(answer: Response) -> Value {
        serde_json::from_str(&text(answer).await).unwrap()
    }

    #[tokio::test]
    async fn full_response_matches_serde() {
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
    async fn every_member_can_be_selected() {
        let all = filter::members().map(str::to_owned).collect();
        assert_eq!(value(extended(&found(Some(all)))).await, value(extended(&found(None))).await);
    }

    #[tokio::test]
    async fn json_line_matches_look_up() {
        for fields in [None, Some(BTreeSet::from(["id".to_owned(), "campaigns".to_owned()]))] {
            let found = found(fields);
            let lines = String::from_utf8(lines(&found)).unwrap();
            let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(Value::from(lines), value(extended(&found)).await["leads"]);
        }
    }

    #[tokio::test]
    async fn returns_only_selected_members() {
        let fields = BTreeSet::from(["id".to_owned(), "first_name".to_owned(), "campaigns".to_owned()]);
        let page = |lead: Value| json!({ "leads": [lead, lead], "total_leads": 3, "next_cursor": "a\"bc" });
        let projected = found(Some(fields));
        let with_campaigns = json!({ "id": 7, "first_name": "Ada", "campaigns": [] });
        assert_eq!(value(extended(&projected)).await, page(with_campaigns));
        assert_eq!(value(basic(&projected)).await, page(json!({ "id": 7, "first_name": "Ada" })));
        assert_eq!(value(basic(&found(None))).await["leads"][0].get("campaigns"), None);
    }
}
