//! What the palette asks the server: leads by text, and what has the number that was typed.

use leadscribe_engine::api::{Call, CallId, DeliveryId, LeadId};

use crate::api::{Answer, Api};
use crate::components::lead_table::lead_name;
use crate::lead_search::{FoundLeads, search};

/// Most leads that are shown.
const MOST: usize = 6;

/// Of what was typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub leads: FoundLeads,
    /// With this id: what the lead is called, the numbers of the call, and whether there is a delivery.
    pub numbered: Numbered,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbered {
    pub lead: Option<String>,
    pub call: Option<String>,
    pub delivery: bool,
}

/// Looks for what was typed.
pub async fn find(api: Api, typed: String) -> Answer<Found> {
    let typed = without_kind(&typed);
    let leads = search(api, typed, MOST).await?;
    let numbered = match id(typed) {
        Some(id) => Numbered {
            lead: api.lead(LeadId(id)).await.ok().map(|found| lead_name(&found.lead)),
            call: api.call(CallId(id)).await.ok().map(|call| numbers(&call)),
            delivery: api.delivery(DeliveryId(id)).await.is_ok(),
        },
        None => Numbered::default(),
    };
    Ok(Found { leads, numbered })
}

/// What was typed without the kind of thing that is looked for, where it stands before it.
fn without_kind(typed: &str) -> &str {
    let is_kind = |word: &str| ["lead", "leads", "call", "calls", "anruf", "anrufe"].contains(&&*word.to_lowercase());
    match typed.trim().split_once(char::is_whitespace) {
        Some((first, rest)) if is_kind(first) => rest.trim_start(),
        _ => typed,
    }
}

/// The id that was typed, if one was; `#17` and `lead 17` are some too.
pub fn id(typed: &str) -> Option<i64> {
    without_kind(typed).trim().trim_start_matches('#').parse().ok().filter(|id| *id > 0)
}

fn numbers(call: &Call) -> String {
    let both = [&call.caller_number, &call.callee_number].into_iter().flatten();
    both.map(String::as_str).collect::<Vec<_>>().join(" → ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_may_stand_before_what_is_looked_for() {
        assert_eq!(
            (id("lead 17"), id("Call #17"), id("#17"), id("lead"), id("17 lead")),
            (Some(17), Some(17), Some(17), None, None)
        );
        assert_eq!(
            (without_kind("Leads Ann Lee"), without_kind("lead"), without_kind("leader Ann")),
            ("Ann Lee", "lead", "leader Ann")
        );
    }

    #[test]
    fn a_number_is_an_id() {
        assert_eq!(["#17", " 17 ", "0", "-1", "17a"].map(id), [Some(17), Some(17), None, None, None]);
    }
}
