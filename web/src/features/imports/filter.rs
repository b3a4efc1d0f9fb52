//! Filter of the list of imports. Each change applies immediately and returns to the first page.

use leadscribe_engine::api::{ImportKind, ImportState};
use leptos::prelude::*;

use crate::api::ImportQuery;
use crate::i18n::texts::imports as texts;
use crate::ui::badge::import_state_name;
use crate::ui::input::filter_inputs::{FieldAccessor, Select, enum_choices, query_field};
use crate::ui::input::search_input::SearchInput;

/// The filter.
#[component]
pub fn ImportFilter(query: Memo<ImportQuery>, on_change: Callback<ImportQuery>) -> impl IntoView {
    let input = move |accessor: FieldAccessor<ImportQuery>| query_field(query, on_change, accessor);
    let kinds = Signal::stored(enum_choices(ImportKind::ALL, ImportKind::as_str, texts::kind));
    let states = Signal::stored(enum_choices(ImportState::ALL, ImportState::as_str, import_state_name));
    let (name, set_name) = input(|query| &mut query.name);
    let (kind, set_kind) = input(|query| &mut query.kind);
    let (state, set_state) = input(|query| &mut query.state);
    view! {
        <form class="call-filter" role="search" aria-label=texts::import_history() on:submit=|event| event.prevent_default()>
            <div class="filter-search">
                <SearchInput label=texts::search_names() placeholder=texts::name() test_id="import-search" value=name set=set_name />
            </div>
            <Select label=texts::kind_column() empty_label=texts::any_kind() choices=kinds value=kind set=set_kind />
            <Select label=texts::state() empty_label=texts::any_state() choices=states value=state set=set_state />
        </form>
    }
    .into_any()
}
