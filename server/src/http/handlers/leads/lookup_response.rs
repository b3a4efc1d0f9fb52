//! Lookup responses with all or selected members of a lead, serialized directly to bytes.

use std::collections::BTreeSet;

use leadscribe_engine::json::{write_text, write_value};

use super::json;
use crate::http::reply::{self, Response};
use crate::service::leads::lead_lookup::{JudgedLead, LeadLookup};
use crate::storage::LeadMembers;

/// Typical size of a serialized lead, in bytes. Avoids reallocations while serializing.
const LEAD_BYTES: usize = 1_024;
/// Typical size of a serialized lead with two campaigns, in bytes.
pub(super) const EXTENDED_LEAD_BYTES: usize = 2_048;

/// Returns the response of the extended lookup.
pub fn extended_response(lookup: &LeadLookup) -> Response {
    let selection = MemberSelection::from_fields(lookup.fields.as_ref());
    page_response(lookup, lookup.judged_leads(), EXTENDED_LEAD_BYTES, |lead, _, output| selection.write(&lead, output))
}

/// Returns a page of leads as JSON lines, each as in the extended lookup.
pub fn json_lines(lookup: &LeadLookup) -> Vec<u8> {
    let selection = MemberSelection::from_fields(lookup.fields.as_ref());
    let mut output = Vec::with_capacity(lookup.page.leads.len() * EXTENDED_LEAD_BYTES);
    for lead in lookup.judged_leads() {
        selection.write(&lead, &mut output);
        output.extend_from_slice(b"}\n");
    }
    output
}

/// Members of a lead to serialize.
#[derive(Clone, Copy)]
struct MemberSelection {
    members: LeadMembers,
    has_campaigns: bool,
    has_reasons: bool,
}

impl MemberSelection {
    fn from_fields(fields: Option<&BTreeSet<String>>) -> Self {
        let is_selected = |name: &str| fields.is_none_or(|fields| fields.contains(name));
        Self {
            members: LeadMembers::from_selection(fields),
            has_campaigns: is_selected("campaigns"),
            has_reasons: is_selected("not_callable_reasons"),
        }
    }

    /// Appends a lead without its closing brace.
    fn write(self, lead: &JudgedLead<'_>, output: &mut Vec<u8>) {
        lead.lead.write_json(self.members, output);
        if self.has_campaigns {
            output.extend_from_slice(b",\"campaigns\":");
            json::write_list(&lead.campaigns, output, json::write_campaign_lead);
        }
        if self.has_reasons {
            output.extend_from_slice(b",\"not_callable_reasons\":");
            json::write_list(&lead.not_callable_reasons, output, json::write_reason);
        }
    }
}

/// Returns the response of the basic lookup.
pub fn basic_response(lookup: &LeadLookup) -> Response {
    page_response(lookup, &lookup.page.leads, LEAD_BYTES, |lead, members, output| lead.lead.write_json(members, output))
}

/// Serializes a page of leads of about `lead_bytes` bytes each. `write` omits the closing brace of the lead. The id of a lead is always
/// among its members.
fn page_response<L>(
    lookup: &LeadLookup,
    leads: impl IntoIterator<Item = L>,
    lead_bytes: usize,
    write: impl Fn(L, LeadMembers, &mut Vec<u8>),
) -> Response {
    let members = LeadMembers::from_selection(lookup.fields.as_ref());
    let mut output = Vec::with_capacity(256 + lookup.page.leads.len() * lead_bytes);
    output.extend_from_slice(b"{\"leads\":");
    json::write_list(leads, &mut output, |lead, output| {
        write(lead, members, output);
        output.push(b'}');
    });
    output.extend_from_slice(b",\"total_leads\":");
    write_value(&lookup.page.total, &mut output);
    if let Some(cursor) = &lookup.next_cursor {
        output.extend_from_slice(b",\"next_cursor\":");
        write_text(cursor, &mut output);
    }
    output.push(b'}');
    reply::bytes("application/json", output)
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;
    use leadscribe_engine::api::{ExtendedLead, ExtendedLeadsResponse, LeadId, Timestamp};
    use leadscribe_engine::filter;
    use leadscribe_engine::record::LeadRecord;
    use serde_json::{Value, json};

    use super::*;
    use crate::storage::{LookupLead, LookupResult, SerializedLead};

    fn sample_lookup(fields: Option<BTreeSet<String>>) -> LeadLookup {
        let record = LeadRecord { first_name: Some(Some("Ada".to_owned())), ..LeadRecord::default() };
        let lead = SerializedLead::from(&record.create(LeadId(7), Timestamp::UNIX_EPOCH));
        let lead = LookupLead { lead, campaign_leads: Vec::new(), is_in_campaign: true };
        let page = LookupResult { leads: vec![lead.clone(), lead], total: 3, ..LookupResult::default() };
        LeadLookup { page, now: Timestamp::UNIX_EPOCH, next_cursor: Some("a\"bc".to_owned()), fields }
    }

    async fn body_text(response: Response) -> String {
        String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().into()).unwrap()
    }

    async fn body_json(response: Response) -> Value {
        serde_json::from_str(&body_text(response).await).unwrap()
    }

    #[tokio::test]
    async fn full_response_matches_serde() {
        let lookup = sample_lookup(None);
        let leads = lookup.judged_leads().map(|judged| ExtendedLead {
            lead: judged.lead.to_lead(),
            campaigns: Vec::new(),
            not_callable_reasons: judged.not_callable_reasons,
        });
        let expected =
            ExtendedLeadsResponse { leads: leads.collect(), total_leads: 3, next_cursor: lookup.next_cursor.clone() };
        assert_eq!(body_text(extended_response(&lookup)).await, serde_json::to_string(&expected).unwrap());
    }

    #[tokio::test]
    async fn every_member_can_be_selected() {
        let all_members = filter::member_names().map(str::to_owned).collect();
        assert_eq!(
            body_json(extended_response(&sample_lookup(Some(all_members)))).await,
            body_json(extended_response(&sample_lookup(None))).await
        );
    }

    #[tokio::test]
    async fn json_line_matches_lookup() {
        for fields in [None, Some(BTreeSet::from(["id".to_owned(), "campaigns".to_owned()]))] {
            let lookup = sample_lookup(fields);
            let lines = String::from_utf8(json_lines(&lookup)).unwrap();
            let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(Value::from(lines), body_json(extended_response(&lookup)).await["leads"]);
        }
    }

    #[tokio::test]
    async fn returns_only_selected_members() {
        let fields = BTreeSet::from(["id".to_owned(), "first_name".to_owned(), "campaigns".to_owned()]);
        let page = |lead: Value| json!({ "leads": [lead, lead], "total_leads": 3, "next_cursor": "a\"bc" });
        let selected = sample_lookup(Some(fields));
        let with_campaigns = json!({ "id": 7, "first_name": "Ada", "campaigns": [] });
        assert_eq!(body_json(extended_response(&selected)).await, page(with_campaigns));
        assert_eq!(body_json(basic_response(&selected)).await, page(json!({ "id": 7, "first_name": "Ada" })));
        assert_eq!(body_json(basic_response(&sample_lookup(None))).await["leads"][0].get("campaigns"), None);
    }
}
