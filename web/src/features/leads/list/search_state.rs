//! Search state of the lead list: the filter in the URL, and the edited filter until the user applies it. The text
//! search narrows the filter's result; it is part of the shown list, but not of the edited filter.

use leadscribe_engine::api::SavedView;
use leadscribe_engine::filter;
use leadscribe_engine::filter::ast::SyntaxTree;
use leptos::prelude::*;

use super::list_state::{ListState, with_first_page};
use super::views::SavedViews;
use crate::browser::query::{use_navigate_in_place, use_query};
use crate::i18n::relative_date::RelativeCondition;
use crate::i18n::texts::{filter as texts, leads};
use crate::i18n::{datetime, relative_date};
use crate::state::lead_search::add_search;
use crate::ui::filter_editor::filter_text::{
    all_leads, canonicalize, pretty_print, resolve_dates, split_relative_dates,
};
use crate::ui::filter_editor::{CheckResult, Names, RelativeDates, check_filter};
use crate::ui::input::continues_search;
use crate::ui::list::{LEADS_LIST, PageSize};

/// A filter as JSON text without relative dates, and the relative dates as chosen.
type FilterAndDates = (String, Vec<RelativeCondition>);

/// Shown list and edited filter. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct LeadSearchState {
    pub url_state: Memo<ListState>,
    pub views: SavedViews,
    /// The shown list; `None` while the saved view in the URL loads.
    pub list_state: Memo<Option<ListState>>,
    /// Id of the open saved view: empty if none is open, `None` while nothing is shown.
    pub open_view_id: Memo<Option<String>>,
    filter: Memo<String>,
    relative_dates: Memo<Vec<RelativeCondition>>,
    /// Filter and relative dates as one filter, resolved when the user applied it.
    resolved_filter: Memo<String>,
    /// Text search in the result of the filter.
    pub search: Memo<String>,
    /// Filter combined with the text search; finds the shown leads.
    pub applied_filter: Memo<String>,
    pub edited_filter: RwSignal<String>,
    /// Relative dates of the edited filter.
    pub dates: RelativeDates,
    /// Result of the engine's check of the edited filter.
    pub check_result: Memo<CheckResult>,
    /// Description of the edited filter in plain words, if it is valid.
    pub explanation: Signal<Option<String>>,
    edited_parts: Memo<FilterAndDates>,
    /// True if the edited filter equals the shown one.
    pub is_applied: Memo<bool>,
    /// True once the editor has shown the current filter. Later differences are the user's edits.
    pub is_editor_ready: RwSignal<bool>,
    /// Page size if the URL has no filter.
    pub page_size: PageSize,
    navigate: Callback<(ListState, bool)>,
}

impl LeadSearchState {
    /// Creates the state from the URL of the page. Call in its component.
    pub fn new(names: Signal<Names>) -> Self {
        let query = use_query();
        let url_state = Memo::new(move |_| ListState::from_query(query));
        let views = SavedViews::new(url_state);
        let list_state = Memo::new(move |_| {
            let state = url_state.get();
            if state.names_only_a_view() {
                views.find(&state.view).as_ref().map(ListState::from_view)
            } else {
                Some(state)
            }
        });
        let open_view_id =
            Memo::new(move |_| list_state.with(|list_state| list_state.as_ref().map(|state| state.view.clone())));
        let member = move |member: fn(ListState) -> String| list_state.get().map(member).unwrap_or_default();
        let page_size = PageSize::load(LEADS_LIST);
        let filter = Memo::new(move |_| {
            let filter = member(|state| state.filter);
            if filter.is_empty() { all_leads(page_size.first_page()) } else { filter }
        });
        let relative_dates = Memo::new(move |_| relative_date::decode(&member(|state| state.dates)));
        let dates = RelativeDates::none(datetime::anchor_now());
        let resolved_filter =
            Memo::new(move |_| resolve_dates(&filter.get(), &relative_dates.get(), &dates.anchor.get()));
        let search = Memo::new(move |_| member(|state| state.search));
        let applied_filter = Memo::new(move |_| add_search(&resolved_filter.get(), &search.get()));

        let edited_filter = RwSignal::new(pretty_print(&untrack(|| all_leads(page_size.first_page()))));
        let edited_parts = Memo::new(move |_| {
            let (conditions, anchor) = (dates.conditions.get(), dates.anchor.get());
            edited_filter.with(|edited_filter| split_relative_dates(edited_filter, &conditions, &anchor))
        });
        let (check_result, exact_explanation) = check_filter(edited_filter, names, true);
        let explanation = Signal::derive(move || {
            let exact_explanation = exact_explanation.get()?;
            let relative_explanation = relative_date::describe(&edited_parts.get().1, &dates.anchor.get().time_zone);
            let explanation = match relative_explanation {
                Some(relative_explanation) => texts::exact_and_relative(&exact_explanation, relative_explanation),
                None => exact_explanation,
            };
            let search = search.get();
            Some(if search.is_empty() { explanation } else { leads::searched(&explanation, &search) })
        });
        let is_applied = Memo::new(move |_| {
            edited_filter.with(|edited_filter| canonicalize(edited_filter)) == canonicalize(&resolved_filter.get())
                && edited_parts.get().1 == relative_dates.get()
        });

        let navigate_in_place = use_navigate_in_place();
        let navigate_to = Callback::new(move |(state, replace): (ListState, bool)| {
            navigate_in_place(&state.url(untrack(|| views.find(&state.view)).as_ref()), replace);
        });
        Self {
            url_state,
            views,
            list_state,
            open_view_id,
            filter,
            relative_dates,
            resolved_filter,
            search,
            applied_filter,
            edited_filter,
            dates,
            check_result,
            explanation,
            edited_parts,
            is_applied,
            is_editor_ready: RwSignal::new(false),
            page_size,
            navigate: navigate_to,
        }
    }

    /// Calls `show` now and whenever other leads are shown. Unapplied edits are kept when the page changes, but not
    /// when another view is opened.
    pub fn on_leads_changed(self, show: impl Fn() + 'static) {
        Effect::new(move |previous: Option<Option<(String, String)>>| {
            let previous = previous.flatten();
            self.search.track();
            let (filter, conditions) = (self.resolved_filter.get(), self.relative_dates.get());
            let Some(view) = self.open_view_id.get() else { return previous };
            let edited = self.edited_filter.with_untracked(|edited| canonicalize(edited));
            let is_unedited = previous
                .is_none_or(|(previous_view, previous)| previous_view != view || edited == canonicalize(&previous));
            if is_unedited {
                self.dates.conditions.set(conditions);
                if edited != canonicalize(&filter) {
                    self.edited_filter.set(pretty_print(&filter));
                }
            }
            show();
            self.is_editor_ready.set(true);
            Some((view, filter))
        });
    }

    /// The list that is shown now.
    pub fn current(self) -> ListState {
        self.list_state.get_untracked().unwrap_or_default()
    }

    /// Navigates to a URL, in a new history entry or replacing the current one.
    pub fn go(self, list_state: ListState, replace: bool) {
        self.navigate.run((list_state, replace));
    }

    fn show_filter(self, (filter, conditions): FilterAndDates) {
        let current = self.current();
        self.go(ListState { filter, dates: relative_date::encode(&conditions), ..current }, false);
    }

    /// Applies the edited filter.
    ///
    /// Returns false if it is applied already, so that the caller reloads the list.
    pub fn apply(self) -> bool {
        self.apply_filter(self.edited_parts.get_untracked())
    }

    /// Shows all leads and discards edits. Returns false as in [`LeadSearchState::apply`].
    pub fn reset(self) -> bool {
        let filter = untrack(|| all_leads(self.page_size.first_page()));
        self.edited_filter.set(pretty_print(&filter));
        if !self.search.with_untracked(String::is_empty) {
            self.dates.conditions.set(Vec::new());
            let (dates, search) = Default::default();
            self.go(ListState { filter, dates, search, ..self.current() }, false);
            return true;
        }
        self.apply_filter((filter, Vec::new()))
    }

    /// Searches the filter's result and shows the first page. An empty text shows the whole result.
    pub fn search_for(self, search: String) {
        let current = self.current();
        let replace = continues_search(&current.search, &search);
        self.go(ListState { filter: with_first_page(&self.filter.get_untracked()), search, ..current }, replace);
    }

    /// Applies a filter with its relative dates resolved at the current time. Returns false if nothing changed.
    fn apply_filter(self, (filter, conditions): FilterAndDates) -> bool {
        let Self { edited_filter, dates, applied_filter, .. } = self;
        let (previous, anchor) = (applied_filter.get_untracked(), datetime::anchor_now());
        if !conditions.is_empty() {
            edited_filter.set(pretty_print(&resolve_dates(&filter, &conditions, &anchor)));
        }
        dates.conditions.set(conditions.clone());
        dates.anchor.set(anchor);
        if (&filter, &conditions) != (&self.filter.get_untracked(), &self.relative_dates.get_untracked()) {
            self.show_filter((filter, conditions));
            return true;
        }
        applied_filter.get_untracked() != previous
    }

    /// Shows the current filter with a change.
    pub fn edit(self, edit: impl FnOnce(&mut SyntaxTree)) {
        let mut tree = filter::parse(&self.filter.get_untracked()).tree;
        edit(&mut tree);
        self.show_filter((filter::print(&tree), self.relative_dates.get_untracked()));
    }

    /// List to save as a view: the edited filter, if it is valid.
    pub fn state_to_save(self) -> ListState {
        let list_state = self.list_state.get().unwrap_or_default();
        if self.check_result.with(Result::is_err) {
            return list_state;
        }
        let (filter, conditions) = self.edited_parts.get();
        ListState { filter, dates: relative_date::encode(&conditions), ..list_state }
    }

    /// Shows a saved view without unsaved changes.
    pub fn discard_changes(self, view: &SavedView) {
        let saved = ListState::from_view(view);
        let conditions = relative_date::decode(&saved.dates);
        let filter = resolve_dates(&saved.filter, &conditions, &self.dates.anchor.get_untracked());
        self.edited_filter.set(pretty_print(&filter));
        self.dates.conditions.set(conditions);
        // Unapplied edits aren't part of the panel's URL.
        if self.current() != saved {
            self.go(saved, false);
        }
    }
}
