//! Filter of the list of imports. Each change applies immediately and returns to the first page.

use leadscribe_engine::api::{ImportKind, ImportState};
use leptos::prelude::*;

use crate::api::ImportQuery;
use crate::components::badge::import_state_name;
use crate::components::input::filter_inputs::{Member, Pick, input_of, named};
use crate::components::input::search_input::SearchInput;
use crate::texts::imports as texts;

/// The filter.
#[component]
pub fn ImportFilter(wanted: Memo<ImportQuery>, on_change: Callback<ImportQuery>) -> impl IntoView {
    let input = move |member: Member<ImportQuery>| input_of(wanted, on_change, member);
    let kinds = Signal::stored(named(ImportKind::ALL, ImportKind::as_str, texts::kind));
    let states = Signal::stored(named(ImportState::ALL, ImportState::as_str, import_state_name));
    let (name, set_name) = input(|query| &mut query.name);
    let (kind, set_kind) = input(|query| &mut query.kind);
    let (state, set_state) = input(|query| &mut query.state);
    view! {
        <form class="call-filter" role="search" aria-label=texts::earlier() on:submit=|event| event.prevent_default()>
            <div class="filter-search">
                <SearchInput label=texts::search_names() placeholder=texts::name() test="import-search" value=name set=set_name />
            </div>
            <Pick label=texts::holds() none=texts::any_kind() choices=kinds value=kind set=set_kind />
            <Pick label=texts::state() none=texts::any_state() choices=states value=state set=set_state />
        </form>
    }
    .into_any()
}
