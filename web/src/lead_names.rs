//! What the leads of a list are called: asked for together with the list, all at once.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;

use leadscribe_engine::api::{Call, LeadId, Page};
use leptos::prelude::*;

use crate::api::{Answer, Api, NamedLead};
use crate::components::lead::table::called;
use crate::texts::calls;

/// The leads of a page of calls.
pub fn leads_of(page: &Page<Call>) -> BTreeSet<LeadId> {
    page.items.iter().filter_map(|call| call.lead_id).collect()
}

/// The names; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct LeadNames {
    api: Api,
    known: RwSignal<BTreeMap<LeadId, String>>,
}

impl LeadNames {
    /// None known yet.
    pub fn new(api: Api) -> Self {
        Self { api, known: RwSignal::new(BTreeMap::new()) }
    }

    /// What a lead is called; by its number while its name isn't known.
    pub fn name(self, id: LeadId) -> String {
        self.known.with(|known| known.get(&id).cloned()).unwrap_or_else(|| calls::lead(id))
    }

    /// A list's answer once the names of its leads are there, so that it doesn't change when it is looked at. Without names it is
    /// an answer too.
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
            // The page may be gone.
            _ = self.known.try_set(names.into_iter().map(named).collect());
        }
        Ok(answer)
    }
}
