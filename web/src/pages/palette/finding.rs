//! Requests of the command palette: leads by text, and items by number.

use leadscribe_engine::api::{Call, CallId, DeliveryId, Lead, LeadId};

use crate::api::{Answer, Api};
use crate::components::lead::table::lead_name;
use crate::lead_search::{as_typed, beside, holds, id, respelled, without_kind};

/// Maximum number of leads to show.
const MOST: usize = 6;

/// Results for the typed text.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub leads: Vec<Lead>,
    /// Total number of leads, without the one with the typed number.
    pub all: u64,
    /// Items with the typed number: name of the lead, phone numbers of the call, and whether there is a delivery.
    pub numbered: Numbered,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbered {
    pub lead: Option<String>,
    pub call: Option<String>,
    pub delivery: bool,
}

/// Searches for the typed text.
pub async fn find(api: Api, typed: String) -> Answer<Found> {
    let typed = without_kind(&typed);
    let (mut leads, mut all) = (Vec::new(), 0);
    // Exact spellings come first. Searches with alternative spellings find them too.
    let searches = [Some(as_typed(typed)), respelled(typed)].into_iter().flatten();
    for filter in searches.map(|search| first(&search)).filter(|filter| holds(filter)) {
        let answer = api.leads(filter).await?;
        all = answer.total_leads;
        let found = answer.leads.into_iter().map(|found| found.lead);
        leads
            .extend(found.filter(|one: &Lead| leads.iter().all(|known: &Lead| known.id != one.id)).collect::<Vec<_>>());
    }
    let number = id(typed);
    let numbered = match number {
        Some(id) => Numbered {
            lead: api.lead(LeadId(id)).await.ok().map(|found| lead_name(&found.lead)),
            call: api.call(CallId(id)).await.ok().map(|call| numbers(&call)),
            delivery: api.delivery(DeliveryId(id)).await.is_ok(),
        },
        None => Numbered::default(),
    };
    // The lead with the typed number has a separate entry. It is counted in the total even if it isn't among the first leads.
    if numbered.lead.is_some() {
        leads.retain(|one| number != Some(one.id.0));
        all = all.saturating_sub(1);
    }
    leads.truncate(MOST);
    Ok(Found { leads, all, numbered })
}

fn numbers(call: &Call) -> String {
    let both = [&call.caller_number, &call.callee_number].into_iter().flatten();
    both.map(String::as_str).collect::<Vec<_>>().join(" → ")
}

/// Filter for the first leads, plus one for the lead with the separate entry.
fn first(search: &str) -> String {
    beside(&format!(r#"{{"limit":"{};0"}}"#, MOST + 1), search)
}
