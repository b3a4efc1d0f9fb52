//! The leads that are found: a page of them, or all of them to scroll through.

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

/// What is known of them; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Found {
    api: Api,
    finding: Finding,
    leads: Remote<ExtendedLeadsResponse>,
    /// The row at the top, counted from 1, where all of them are scrolled through.
    pub row: Memo<Option<u64>>,
    pub is_scrolled: Memo<bool>,
    /// What the list that is scrolled through says of itself.
    pub told: Told,
    /// Changes when that list asks for the same leads again.
    pub again: RwSignal<u64>,
    pub order: Signal<Option<(FieldId, bool)>>,
    pub window: Signal<Window>,
    /// How many there are in all.
    pub total: Signal<Option<u64>>,
    /// Those of the page.
    pub in_page: Signal<Option<Vec<ExtendedLead>>>,
    /// The names of the custom fields that they have, as far as they are at hand.
    pub custom: Signal<Vec<String>>,
    /// Whether there are none, here at least.
    pub is_empty: Memo<bool>,
}

impl Found {
    /// By what is looked for, now and later.
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
            // The list that is scrolled through follows the filter by itself, but for one that had nothing in it.
            if !is_scrolled.get() || told.total.get_untracked() == Some(0) {
                found.load();
            }
        });
        found
    }

    /// Asks for them, anew where they are shown already.
    pub fn load(self) {
        let Self { api, finding, told, .. } = self;
        if finding.here.with_untracked(Option::is_none) {
            return;
        }
        match self.is_scrolled.get_untracked() {
            // A list that had nothing in it is made anew.
            true if told.total.get_untracked() == Some(0) => told.total.set(None),
            true => self.again.update(|number| *number += 1),
            false => self.leads.load(api.leads(request(&finding.applied.get_untracked()))),
        }
    }

    /// Why they aren't there, where it is to be said.
    pub fn error(self) -> Option<ApiError> {
        if self.is_scrolled.get() { self.told.error.get() } else { self.leads.error() }
    }

    /// Whether nothing is there to be shown.
    pub fn has_failed(self) -> bool {
        match self.is_scrolled.get() {
            true => self.told.error.with(Option::is_some),
            false => self.leads.has_failed(),
        }
    }

    /// Whether others take the place of those that are shown soon.
    pub fn is_stale(self) -> bool {
        self.leads.is_loading() && self.in_page.with(Option::is_some)
    }

    /// The ids of those of the page.
    pub fn ids(self) -> Vec<LeadId> {
        self.in_page.with(|leads| leads.iter().flatten().map(|lead| lead.lead.id).collect())
    }
}

/// The names of the custom fields that these leads have.
fn custom_names(leads: &[ExtendedLead]) -> Vec<String> {
    let names: BTreeSet<_> = leads.iter().flat_map(|lead| lead.lead.custom_fields.keys()).collect();
    names.into_iter().cloned().collect()
}
