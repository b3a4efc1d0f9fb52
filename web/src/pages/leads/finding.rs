//! Search state of the lead list: the filter in the address, and the edited filter until the user applies it. The text search
//! narrows the filter's result; it is part of the shown list, but not of the edited filter.

use leadscribe_engine::api::SavedView;
use leadscribe_engine::filter;
use leadscribe_engine::filter::ast::Filter;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use super::place::{Place, from_first_page};
use super::views::SavedViews;
use crate::components::filter_editor::{Dates, Names, Verdict, judge};
use crate::components::input::search_input::is_typed_on;
use crate::components::list::pager::Window;
use crate::filter_text::{ALL_LEADS, apart, canonical, pretty, together, window_of};
use crate::lead_search::narrowed;
use crate::query::use_query;
use crate::relative::{self, Choice};
use crate::texts::{filter as texts, leads};
use crate::when;

/// A filter as JSON text without relative dates, and the relative dates as chosen.
type Conditions = (String, Vec<Choice>);

/// Shown list and edited filter. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Finding {
    pub address: Memo<Place>,
    pub views: SavedViews,
    /// The shown list; `None` while the saved view in the address is loaded.
    pub here: Memo<Option<Place>>,
    /// Id of the open saved view, empty for none; `None` while nothing is shown.
    pub open: Memo<Option<String>>,
    base: Memo<String>,
    chosen: Memo<Vec<Choice>>,
    /// Filter and relative dates as one filter, resolved when the user applied it.
    filtered: Memo<String>,
    /// Text search in the result of the filter.
    pub search: Memo<String>,
    /// Filter combined with the text search; finds the shown leads.
    pub applied: Memo<String>,
    /// Edited filter and its verdict by the engine.
    pub text: RwSignal<String>,
    pub dates: Dates,
    pub verdict: Memo<Verdict>,
    /// Description of the edited filter in plain words, if it is valid.
    pub reading: Signal<Option<String>>,
    split: Memo<Conditions>,
    /// True if the edited filter equals the shown one.
    pub is_applied: Memo<bool>,
    /// True once the editor has shown the current filter. Later differences are the user's edits.
    pub is_ready: RwSignal<bool>,
    go: Callback<(Place, bool)>,
}

impl Finding {
    /// Creates the state from the address of the page. Call in its component.
    pub fn new(names: Signal<Names>) -> Self {
        let query = use_query();
        let address = Memo::new(move |_| Place::in_address(query));
        let views = SavedViews::new(address);
        let here = Memo::new(move |_| {
            let place = address.get();
            if place.is_way() { views.find(&place.view).as_ref().map(Place::of) } else { Some(place) }
        });
        let open = Memo::new(move |_| here.with(|here| here.as_ref().map(|place| place.view.clone())));
        let part = move |part: fn(Place) -> String| here.get().map(part).unwrap_or_default();
        let base = Memo::new(move |_| {
            let text = part(|place| place.filter);
            if text.is_empty() { ALL_LEADS.to_owned() } else { text }
        });
        let chosen = Memo::new(move |_| relative::from_text(&part(|place| place.dates)));
        let dates = Dates::none(when::anchor());
        let filtered = Memo::new(move |_| together(&base.get(), &chosen.get(), &dates.anchor.get()));
        let search = Memo::new(move |_| part(|place| place.search));
        let applied = Memo::new(move |_| narrowed(&filtered.get(), &search.get()));

        let text = RwSignal::new(pretty(ALL_LEADS));
        let split = Memo::new(move |_| {
            let (choices, anchor) = (dates.chosen.get(), dates.anchor.get());
            text.with(|text| apart(text, &choices, &anchor))
        });
        let (verdict, exact) = judge(text, names, true);
        let reading = Signal::derive(move || {
            let exact = exact.get()?;
            let relative = relative::explain(&split.get().1, &dates.anchor.get().zone);
            let said = relative.map_or(exact.clone(), |relative| texts::exact_and_relative(&exact, relative));
            Some(search.with(|search| if search.is_empty() { said.clone() } else { leads::searched(&said, search) }))
        });
        let is_applied = Memo::new(move |_| {
            text.with(|text| canonical(text)) == canonical(&filtered.get()) && split.get().1 == chosen.get()
        });

        let navigate = use_navigate();
        let go = Callback::new(move |(place, replace): (Place, bool)| {
            let options = NavigateOptions { scroll: false, replace, ..Default::default() };
            navigate(&place.address(untrack(|| views.find(&place.view)).as_ref()), options);
        });
        Self {
            address,
            views,
            here,
            open,
            base,
            chosen,
            filtered,
            search,
            applied,
            text,
            dates,
            verdict,
            reading,
            split,
            is_applied,
            is_ready: RwSignal::new(false),
            go,
        }
    }

    /// Calls `show` now and whenever other leads are shown. Unapplied edits are kept when the page changes, but not when
    /// another view is opened.
    pub fn each(self, show: impl Fn() + 'static) {
        let Self { filtered, search, chosen, open, text, dates, is_ready, .. } = self;
        Effect::new(move |before: Option<Option<(String, String)>>| {
            let before = before.flatten();
            search.track();
            let (filtered, choices) = (filtered.get(), chosen.get());
            let Some(view) = open.get() else { return before };
            let untouched = before.is_none_or(|(other, before)| {
                other != view || text.with_untracked(|text| canonical(text)) == canonical(&before)
            });
            if untouched {
                dates.chosen.set(choices);
                if canonical(&text.get_untracked()) != canonical(&filtered) {
                    text.set(pretty(&filtered));
                }
            }
            show();
            is_ready.set(true);
            Some((view, filtered))
        });
    }

    /// The list that is shown now.
    pub fn now(self) -> Place {
        self.here.get_untracked().unwrap_or_default()
    }

    /// Navigates to an address, in a new history entry or replacing the current one.
    pub fn go(self, place: Place, replace: bool) {
        self.go.run((place, replace));
    }

    fn show(self, (filter, choices): Conditions) {
        let before = self.now();
        // Other leads are shown from the first one.
        let row = before.row.map(|_| 1);
        self.go(Place { filter, dates: relative::to_text(&choices), row, ..before }, false);
    }

    /// Applies the edited filter.
    ///
    /// Returns false if it is applied already, so that the caller reloads the list.
    pub fn apply(self) -> bool {
        self.look_for(self.split.get_untracked())
    }

    /// Shows all leads and discards edits. Returns false as in [`Finding::apply`].
    pub fn reset(self) -> bool {
        self.text.set(pretty(ALL_LEADS));
        if !self.search.with_untracked(String::is_empty) {
            self.dates.chosen.set(Vec::new());
            let filter = ALL_LEADS.to_owned();
            let (before, none) = (self.now(), String::new());
            self.go(Place { filter, dates: none.clone(), search: none, row: before.row.map(|_| 1), ..before }, false);
            return true;
        }
        self.look_for((ALL_LEADS.to_owned(), Vec::new()))
    }

    /// Searches the filter's result and shows the first page. An empty text shows the whole result.
    pub fn search_for(self, search: String) {
        let before = self.now();
        let replace = is_typed_on(&before.search, &search);
        let (filter, row) = (from_first_page(&before.filter), before.row.map(|_| 1));
        self.go(Place { filter, search, row, ..before }, replace);
    }

    /// Applies a filter with its relative dates resolved at the current time. Returns false if nothing changed.
    fn look_for(self, (filter, choices): Conditions) -> bool {
        let Self { text, dates, applied, .. } = self;
        let (before, anchor) = (applied.get_untracked(), when::anchor());
        if !choices.is_empty() {
            text.set(pretty(&together(&filter, &choices, &anchor)));
        }
        dates.chosen.set(choices.clone());
        dates.anchor.set(anchor);
        if (&filter, &choices) != (&self.base.get_untracked(), &self.chosen.get_untracked()) {
            self.show((filter, choices));
            return true;
        }
        applied.get_untracked() != before
    }

    /// Shows the current filter with a change.
    pub fn change(self, edit: impl FnOnce(&mut Filter)) {
        let mut tree = filter::parse(&self.base.get_untracked()).tree;
        edit(&mut tree);
        self.show((filter::print(&tree), self.chosen.get_untracked()));
    }

    /// Shows all matching leads in one list, scrolled to the current page.
    pub fn scroll(self) {
        let offset = window_of(&filter::parse(&self.applied.get_untracked()).tree).offset;
        self.go(Place { row: Some(offset + 1), ..self.now() }, false);
    }

    /// Shows a page instead of the whole list.
    pub fn turn_to(self, window: Window) {
        let mut tree = filter::parse(&self.base.get_untracked()).tree;
        tree.controls.limit = Some(window.limit().into());
        self.go(Place { filter: filter::print(&tree), row: None, ..self.now() }, false);
    }

    /// List to save as a view: the edited filter, if it is valid.
    pub fn typed(self) -> Place {
        let here = self.here.get().unwrap_or_default();
        if self.verdict.with(Result::is_err) {
            return here;
        }
        let (filter, choices) = self.split.get();
        Place { filter, dates: relative::to_text(&choices), ..here }
    }

    /// Shows a saved view without unsaved changes.
    pub fn discard(self, view: &SavedView) {
        let saved = Place::of(view);
        let choices = relative::from_text(&saved.dates);
        self.text.set(pretty(&together(&saved.filter, &choices, &self.dates.anchor.get_untracked())));
        self.dates.chosen.set(choices);
        // Unapplied edits aren't part of an address.
        if self.now() != saved {
            self.go(saved, false);
        }
    }
}
