//! Leads that match the search: one page, or all of them in one list.

use std::collections::BTreeSet;

use leadscribe_engine::api::{ExtendedLead, ExtendedLeadsResponse, LeadId};
use leadscribe_engine::filter;
use leadscribe_engine::filter::fields::FieldId;
use leptos::prelude::*;

use super::finding::Finding;
use super::scrolled::Told;
use crate::api::{Api, ApiError};
use crate::components::list::pager::Window;
use crate::filter_text::{order_of, request, window_of};
use crate::remote::Remote;

/// Loaded leads. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Found {
    api: Api,
    finding: Finding,
    leads: Remote<ExtendedLeadsResponse>,
    /// First visible row, counted from 1; `None` if pages are shown.
    pub row: Memo<Option<u64>>,
    pub is_scrolled: Memo<bool>,
    /// State of the virtual list.
    pub told: Told,
    /// Incremented to reload the same leads in the virtual list.
    pub again: RwSignal<u64>,
    pub order: Signal<Option<(FieldId, bool)>>,
    pub window: Signal<Window>,
    /// Total number of leads.
    pub total: Signal<Option<u64>>,
    /// Leads on the page.
    pub in_page: Signal<Option<Vec<ExtendedLead>>>,
    /// Names of the custom fields of the loaded leads.
    pub custom: Signal<Vec<String>>,
    /// True if there are no leads on the page.
    pub is_empty: Memo<bool>,
}

impl Found {
    /// Loads the leads now and whenever the search changes.
    pub fn new(api: Api, finding: Finding) -> Self {
        let Finding { here, applied, .. } = finding;
        let (leads, told) = (Remote::<ExtendedLeadsResponse>::new(), Told::new());
        let row = Memo::new(move |_| here.with(|here| here.as_ref().and_then(|place| place.row)));
        let is_scrolled = Memo::new(move |_| row.get().is_some());
        let in_page = Signal::derive(move || leads.with(|answer| answer.map(|answer| answer.leads.clone())));
        let found = Self {
            api,
            finding,
            leads,
            row,
            is_scrolled,
            told,
            again: RwSignal::new(0),
            order: Signal::derive(move || order_of(&filter::parse(&applied.get()).tree)),
            window: Signal::derive(move || window_of(&filter::parse(&applied.get()).tree)),
            total: Signal::derive(move || match is_scrolled.get() {
                true => told.total.get(),
                false => leads.with(|answer| answer.map(|answer| answer.total_leads)),
            }),
            in_page,
            custom: Signal::derive(move || match is_scrolled.get() {
                true => told.custom.get(),
                false => in_page.with(|leads| custom_names(leads.as_deref().unwrap_or_default())),
            }),
            is_empty: Memo::new(move |_| match is_scrolled.get() {
                true => told.total.get() == Some(0),
                false => in_page.with(|leads| leads.as_ref().is_some_and(Vec::is_empty)),
            }),
        };
        finding.each(move || {
            // The virtual list reloads itself when the filter changes, unless it was empty.
            if !is_scrolled.get() || told.total.get_untracked() == Some(0) {
                found.load();
            }
        });
        found
    }

    /// Loads or reloads the leads.
    pub fn load(self) {
        let Self { api, finding, told, .. } = self;
        if finding.here.with_untracked(Option::is_none) {
            return;
        }
        match self.is_scrolled.get_untracked() {
            // An empty virtual list is created again.
            true if told.total.get_untracked() == Some(0) => told.total.set(None),
            true => self.again.update(|number| *number += 1),
            false => self.leads.load(api.leads(request(&finding.applied.get_untracked()))),
        }
    }

    /// Error to show, if any.
    pub fn error(self) -> Option<ApiError> {
        if self.is_scrolled.get() { self.told.error.get() } else { self.leads.error() }
    }

    /// True if there is nothing to show because of an error.
    pub fn has_failed(self) -> bool {
        match self.is_scrolled.get() {
            true => self.told.error.with(Option::is_some),
            false => self.leads.has_failed(),
        }
    }

    /// True if the shown leads are about to be replaced.
    pub fn is_stale(self) -> bool {
        self.leads.is_loading() && self.in_page.with(Option::is_some)
    }

    /// Ids of the leads on the page.
    pub fn ids(self) -> Vec<LeadId> {
        self.in_page.with(|leads| leads.iter().flatten().map(|lead| lead.lead.id).collect())
    }
}

/// Names of the custom fields of these leads.
fn custom_names(leads: &[ExtendedLead]) -> Vec<String> {
    let names: BTreeSet<_> = leads.iter().flat_map(|lead| lead.lead.custom_fields.keys()).collect();
    names.into_iter().cloned().collect()
}
