//! Leads that match the search: one page of them.

use std::collections::BTreeSet;

use leadscribe_engine::api::{ExtendedLead, ExtendedLeadsResponse, LeadId};
use leadscribe_engine::filter;
use leptos::prelude::*;

use super::search_state::LeadSearchState;
use crate::api::Api;
use crate::state::ApiResource;
use crate::ui::filter_editor::filter_text::{page_window, request_filter};
use crate::ui::list::PageWindow;

#[derive(Clone, Copy)]
pub struct LeadResults {
    api: Api,
    search_state: LeadSearchState,
    pub leads: ApiResource<ExtendedLeadsResponse>,
    pub window: Signal<PageWindow>,
    pub total: Signal<Option<u64>>,
    pub page_leads: Signal<Option<Vec<ExtendedLead>>>,
    /// Names of the custom fields of the loaded leads.
    pub custom: Signal<Vec<String>>,
    /// True if there are no leads on the page.
    pub is_empty: Memo<bool>,
}

impl LeadResults {
    /// Loads the leads now and whenever the search changes.
    pub fn new(api: Api, search_state: LeadSearchState) -> Self {
        let applied_filter = search_state.applied_filter;
        let leads = ApiResource::<ExtendedLeadsResponse>::new();
        let page_leads = Signal::derive(move || leads.with(|response| response.map(|response| response.leads.clone())));
        let results = Self {
            api,
            search_state,
            leads,
            window: Signal::derive(move || page_window(&filter::parse(&applied_filter.get()).tree)),
            total: Signal::derive(move || leads.with(|response| response.map(|response| response.total_leads))),
            page_leads,
            custom: Signal::derive(move || {
                page_leads.with(|leads| custom_field_names(leads.as_deref().unwrap_or_default()))
            }),
            is_empty: Memo::new(move |_| page_leads.with(|leads| leads.as_ref().is_some_and(Vec::is_empty))),
        };
        search_state.on_leads_changed(move || results.load());
        results
    }

    pub fn load(self) {
        let Self { api, search_state, leads, .. } = self;
        if search_state.list_state.with_untracked(Option::is_some) {
            leads.load(api.leads(request_filter(&search_state.applied_filter.get_untracked())));
        }
    }

    /// True if the shown leads are about to be replaced.
    pub fn is_stale(self) -> bool {
        self.leads.is_loading.get() && self.page_leads.with(Option::is_some)
    }

    pub fn page_lead_ids(self) -> Vec<LeadId> {
        self.page_leads.with(|leads| leads.iter().flatten().map(|lead| lead.lead.id).collect())
    }
}

fn custom_field_names(leads: &[ExtendedLead]) -> Vec<String> {
    let names: BTreeSet<_> = leads.iter().flat_map(|lead| lead.lead.custom_fields.keys()).collect();
    names.into_iter().cloned().collect()
}
