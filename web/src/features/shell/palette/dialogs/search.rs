//! Requests of the command palette: leads by text, and items by number.

use leadscribe_engine::api::{Call, CallId, DeliveryId, Lead, LeadId};

use crate::api::{Api, ApiResult};
use crate::state::lead_search::{
    combine_filters, exact_search_filter, is_valid_filter, parse_id, respelled_search_filter, strip_keyword,
};
use crate::ui::lead::table::lead_name;

/// Maximum number of leads to show.
const MAX_LEADS: usize = 6;

/// Results for the typed text.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResults {
    pub leads: Vec<Lead>,
    /// Total number of leads, without the one with the typed number.
    pub total: u64,
    /// Items with the typed number: name of the lead, phone numbers of the call, and whether there is a delivery.
    pub items_by_id: ItemsById,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemsById {
    pub lead: Option<String>,
    pub call: Option<String>,
    pub has_delivery: bool,
}

/// Searches for the typed text.
pub async fn run_search(api: Api, input: String) -> ApiResult<SearchResults> {
    let input = strip_keyword(&input);
    let (mut leads, mut total) = (Vec::new(), 0);
    // Exact spellings come first. Searches with alternative spellings find them too.
    let searches = [Some(exact_search_filter(input)), respelled_search_filter(input)].into_iter().flatten();
    for filter in searches.map(|search| first_leads_filter(&search)).filter(|filter| is_valid_filter(filter)) {
        let response = api.leads(filter).await?;
        total = response.total_leads;
        let found_leads = response.leads.into_iter().map(|found_leads| found_leads.lead);
        leads.extend(
            found_leads
                .filter(|lead: &Lead| leads.iter().all(|known_lead: &Lead| known_lead.id != lead.id))
                .collect::<Vec<_>>(),
        );
    }
    let typed_id = parse_id(input);
    let items_by_id = match typed_id {
        Some(id) => ItemsById {
            lead: api.lead(LeadId(id)).await.ok().map(|found_leads| lead_name(&found_leads.lead)),
            call: api.call(CallId(id)).await.ok().map(|call| phone_numbers(&call)),
            has_delivery: api.delivery(DeliveryId(id)).await.is_ok(),
        },
        None => ItemsById::default(),
    };
    // The lead with the typed number has a separate entry. It is counted in the total even if it isn't among the first leads.
    if items_by_id.lead.is_some() {
        leads.retain(|lead| typed_id != Some(lead.id.0));
        total = total.saturating_sub(1);
    }
    leads.truncate(MAX_LEADS);
    Ok(SearchResults { leads, total, items_by_id })
}

fn phone_numbers(call: &Call) -> String {
    let both = [&call.caller_number, &call.callee_number].into_iter().flatten();
    both.map(String::as_str).collect::<Vec<_>>().join(" → ")
}

/// Filter for the first leads, plus one for the lead with the separate entry.
fn first_leads_filter(search: &str) -> String {
    combine_filters(&format!(r#"{{"limit":"{};0"}}"#, MAX_LEADS + 1), search)
}
