//! Loads the names of the leads in a list with one request.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;

use leadscribe_engine::api::{Call, LeadId, Page};
use leptos::prelude::*;

use crate::api::{Answer, Api, NamedLead};
use crate::components::lead::table::called;
use crate::texts::calls;

/// Ids of the leads on a page of calls.
pub fn leads_of(page: &Page<Call>) -> BTreeSet<LeadId> {
    page.items.iter().filter_map(|call| call.lead_id).collect()
}

/// Loaded lead names. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct LeadNames {
    api: Api,
    known: RwSignal<BTreeMap<LeadId, String>>,
}

impl LeadNames {
    /// Creates the state without any names.
    pub fn new(api: Api) -> Self {
        Self { api, known: RwSignal::new(BTreeMap::new()) }
    }

    /// Returns the name of a lead, or its number while the name isn't loaded.
    pub fn name(self, id: LeadId) -> String {
        self.known.with(|known| known.get(&id).cloned()).unwrap_or_else(|| calls::lead(id))
    }

    /// Awaits the answer for a list, then loads the names of its leads, so that the list doesn't change after it is shown. If
    /// the names can't be loaded, the list is returned without them.
    pub async fn beside<T>(
        self,
        question: impl Future<Output = Answer<T>>,
        leads: impl FnOnce(&T) -> BTreeSet<LeadId>,
    ) -> Answer<T> {
        let answer = question.await?;
        let leads = leads(&answer);
        if !leads.is_empty()
            && let Ok(names) = self.api.lead_names(&leads).await
        {
            let named =
                |lead: NamedLead| (lead.id, called(lead.id, lead.first_name.as_deref(), lead.last_name.as_deref()));
            // The page may have been closed.
            _ = self.known.try_set(names.into_iter().map(named).collect());
        }
        Ok(answer)
    }
}
