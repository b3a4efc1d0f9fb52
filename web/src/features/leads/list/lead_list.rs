//! Lead list: the page of leads that match the search, and bulk actions on the selection.

use std::collections::BTreeSet;

use leadscribe_engine::api::{ExtendedLead, ExtendedLeadsResponse, LeadId};
use leadscribe_engine::filter;
use leptos::prelude::*;

use super::actions::ActionDialogState;
use super::header::ColumnSettings;
use super::search_state::LeadSearchState;
use crate::api::{Api, use_session};
use crate::features::leads::action_form::LeadActionKind;
use crate::i18n::datetime::format_count;
use crate::i18n::texts::{common, leads as texts};
use crate::state::ApiResource;
use crate::ui::filter_editor::Names;
use crate::ui::filter_editor::filter_text::{lead_order, only_conditions, page_window, request_filter, set_sort_order};
use crate::ui::input::Button;
use crate::ui::lead::table::{LeadSortSelect, LeadTable, SELECT_PAGE_ID};
use crate::ui::list::{LeadSelection, PageCheckbox, PageWindow, Pager, SelectionBar};
use crate::ui::{EmptyState, Glyph, LazyMount};

#[component]
pub fn LeadList(
    search_state: LeadSearchState,
    lead_results: LeadResults,
    names: Signal<Names>,
    columns: ColumnSettings,
    selected: LeadSelection,
    action_dialog_state: ActionDialogState,
    is_hidden: Signal<bool>,
    on_reset: Callback<()>,
) -> impl IntoView {
    let session = use_session();
    let ColumnSettings { shown: columns, widths, .. } = columns;
    let LeadResults { window, total, .. } = lead_results;
    let conditions = move || only_conditions(&search_state.applied_filter.get_untracked());
    let on_order = move |order: String| search_state.edit(|tree| set_sort_order(tree, &order));
    let order = lead_order(move || search_state.applied_filter.get(), on_order);
    let on_page = Callback::new(move |selected: PageWindow| {
        // A saved view has its own page size.
        if search_state.open_view_id.with_untracked(|view| view.as_ref().is_some_and(String::is_empty)) {
            search_state.page_size.store_if_changed(window.get_untracked(), selected);
        }
        search_state.edit(|tree| tree.controls.limit = Some(selected.limit().into()));
    });
    let select_all =
        Callback::new(move |()| selected.select_all(conditions(), total.get_untracked().unwrap_or_default()));
    let open_action = Callback::new(move |kind| action_dialog_state.open_with(kind, &conditions()));
    let selection = Memo::new(move |_| session.can_write());
    let stale = Signal::derive(move || lead_results.is_stale());
    let table = move || {
        if lead_results.is_empty.get() {
            return view! { <NoLeads search_state total on_reset /> }.into_any();
        }
        let selection = selection.get().then_some(selected);
        view! { <LeadTable leads=lead_results.page_leads stale names columns order selection widths /> }.into_any()
    };
    let visible_ids = Signal::derive(move || lead_results.page_lead_ids());
    let page_box = move || {
        let label = texts::select_page();
        selection
            .get()
            .then(|| view! { <PageCheckbox label test_id="select-cards" selection=selected visible=visible_ids /> })
    };
    let page_box = Some(page_box.into_any());
    view! {
        <section class="table-card mobile-cards" hidden=is_hidden aria-label=common::leads_found()>
            <LazyMount>
                <LeadSortSelect columns order leading=page_box />
                {table} <Pager window total stale on_change=on_page />
                <Show when=move || selection.get()>
                    <LeadSelectionBar selection=selected total on_select_all=select_all on_action=open_action />
                </Show>
            </LazyMount>
        </section>
    }
}

/// Bar with the number of selected leads and the bulk actions.
#[component]
fn LeadSelectionBar(
    selection: LeadSelection,
    /// Number of leads that match the filter.
    total: Signal<Option<u64>>,
    on_select_all: Callback<()>,
    on_action: Callback<LeadActionKind>,
) -> impl IntoView {
    let status_text = Signal::derive(move || {
        let count = selection.len();
        if selection.is_all() { texts::all_selected(count) } else { texts::selected(count) }
    });
    let select_all_button = move || {
        let total = total.get().filter(|total| !selection.is_all() && *total > selection.len())?;
        let (text, suffix) = (texts::select_all(format_count(total)), texts::select_all_suffix());
        let label = format!("{text}{suffix}");
        Some(view! {
            <button
                type="button"
                class="button button-plain button-small"
                aria-label=label
                data-test="select-all"
                on:click=move |_| on_select_all.run(())
            >
                {text}
                <span class="hide-on-narrow">{suffix}</span>
            </button>
        })
    };
    let action = move |action: LeadActionKind| {
        view! {
            <Button
                class="button-small"
                label=action.info().label
                test_id=format!("lead-action-{}", action.info().name)
                on_press=move |()| on_action.run(action)
            />
        }
    };
    let actions = move || LeadActionKind::ALL.map(action).into_iter().collect_view();
    view! {
        <SelectionBar
            label=texts::selected_leads()
            count=Signal::derive(move || selection.len())
            status_text
            select_more=move || select_all_button
            on_clear=Callback::new(move |()| selection.clear())
            focus_after_clear=SELECT_PAGE_ID
            actions
        />
    }
}

/// Reason why the list is empty, and suggestions.
#[component]
fn NoLeads(search_state: LeadSearchState, total: Signal<Option<u64>>, on_reset: Callback<()>) -> impl IntoView {
    let session = use_session();
    let (title, text) = match total.get() {
        Some(0) => (
            texts::no_lead_matches(),
            search_state.search.with(|search| match search.is_empty() {
                true => common::remove_filter_hint().to_owned(),
                false => texts::no_search_match(search),
            }),
        ),
        _ => (common::nothing_on_page(), common::past_end_of_list().to_owned()),
    };
    view! {
        <EmptyState glyph=Glyph::Leads title text>
            <Button label=texts::show_all_leads() on_press=on_reset />
            <Show when=move || session.can_write()>
                <a class="button" href="/imports">
                    {texts::import_leads()}
                </a>
            </Show>
        </EmptyState>
    }
}

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
