//! Loads the names of the leads in a list with one request.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;

use leadscribe_engine::api::{Call, LeadId, Page};
use leptos::prelude::*;

use crate::api::{Api, ApiResult, NamedLead};
use crate::i18n::texts::common;
use crate::ui::lead::table::display_name;

pub fn lead_ids(page: &Page<Call>) -> BTreeSet<LeadId> {
    page.items.iter().filter_map(|call| call.lead_id).collect()
}

/// Loaded lead names. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct LeadNames {
    api: Api,
    names: RwSignal<BTreeMap<LeadId, String>>,
}

impl LeadNames {
    /// Creates the state without any names.
    pub fn new(api: Api) -> Self {
        Self { api, names: RwSignal::new(BTreeMap::new()) }
    }

    /// Returns the name of a lead, or its number while the name isn't loaded.
    pub fn name(self, id: LeadId) -> String {
        self.names.with(|names| names.get(&id).cloned()).unwrap_or_else(|| common::lead_number(id))
    }

    /// Awaits the response for a list, then loads the names of its leads, so that the list doesn't change after it is
    /// shown. If the names can't be loaded, the list is returned without them.
    pub async fn load_with_names<T>(
        self,
        list_request: impl Future<Output = ApiResult<T>>,
        lead_ids: impl FnOnce(&T) -> BTreeSet<LeadId>,
    ) -> ApiResult<T> {
        let list = list_request.await?;
        let lead_ids = lead_ids(&list);
        if !lead_ids.is_empty()
            && let Ok(names) = self.api.lead_names(&lead_ids).await
        {
            let id_and_name = |lead: NamedLead| {
                (lead.id, display_name(lead.id, lead.first_name.as_deref(), lead.last_name.as_deref()))
            };
            // The page may have been closed.
            _ = self.names.try_set(names.into_iter().map(id_and_name).collect());
        }
        Ok(list)
    }
}
