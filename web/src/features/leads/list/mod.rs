//! `/leads?filter=…&dates=…&columns=…&view=…&search=…`: leads by filter. The URL contains the whole state, including
//! page, order and columns, so that a link shows the same list. Relative dates are kept as chosen and resolved when the
//! link is opened. A URL that only names a saved view shows that view.

mod actions;
mod batch_runner;
mod header;
mod lead_list;
mod list_state;
mod recent_changes;
mod search_state;
mod views;

use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::{self, Limits};
use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::api::{use_api, use_session};
use crate::i18n::texts::{common, leads as texts};
use crate::state::{ApiResource, use_toasts};
use crate::ui::filter_editor::filter_text::{canonicalize, only_conditions};
use crate::ui::filter_editor::{FilterEditor, KnownCustomFields, Names, ValueSource};
use crate::ui::input::SearchInput;
use crate::ui::lazy_view::render_once_opened;
use crate::ui::lead::columns::Column;
use crate::ui::list::{ColumnChooserProps, InvalidQueryNotice, LeadSelection, SelectionScope, column_chooser_dialog};
use crate::ui::{CurlCommand, ErrorNotice, Glyph, Icon};

use actions::{ActionDialogProps, ActionDialogState, bulk_action_dialog};
use header::{ColumnSettings, LeadsHeader, use_column_settings};
use lead_list::{LeadList, LeadResults};
use list_state::{ListState, restore_and_track};
use recent_changes::{RecentChangesDialogProps, recent_changes};
use search_state::LeadSearchState;

const PAGE_PATH: &str = "/leads";

#[component]
pub fn LeadsPage() -> impl IntoView {
    let api = use_api();
    let (session, toasts) = (use_session(), use_toasts());
    let names = Names::from_resources(ApiResource::requested(api.campaigns()), ApiResource::requested(api.statuses()));
    let staff = ApiResource::new();
    let names = Names::with_staff(names, staff);
    provide_context(ValueSource(api));

    let search_state = LeadSearchState::new(names);
    let LeadSearchState {
        views,
        list_state,
        open_view_id,
        applied_filter,
        edited_filter,
        check_result,
        explanation,
        is_applied,
        dates,
        ..
    } = search_state;
    let lead_results = LeadResults::new(api, search_state);
    provide_context(KnownCustomFields(lead_results.custom));
    restore_and_track(search_state);
    let show_columns =
        Callback::new(move |columns: String| search_state.go(ListState { columns, ..search_state.current() }, true));
    let columns_text = Memo::new(move |_| list_state.get().map(|state| state.columns).unwrap_or_default());
    let columns = use_column_settings(columns_text, open_view_id, show_columns);
    let is_staff_shown = Memo::new(move |_| {
        columns.shown.with(|shown_columns| shown_columns.contains(&Column::Field(FieldId::AssignedUserId)))
    });
    Effect::new(move |_| {
        if is_staff_shown.get() {
            staff.load(api.assignees());
        }
    });
    let on_apply = Callback::new(move |()| {
        if !search_state.apply() {
            lead_results.load();
        }
    });
    let on_reset = Callback::new(move |()| {
        if !search_state.reset() {
            lead_results.load();
        }
    });
    let pathname = use_location().pathname;
    let view_error = Memo::new(move |_| views.error(&search_state.url_state.get().view));
    let is_view_missing = Memo::new(move |_| list_state.with(Option::is_none) && view_error.with(Option::is_some));
    // The engine reports the same diagnostics as the server for the filter in the URL.
    let is_filter_invalid =
        Memo::new(move |_| filter::parse_and_check(&applied_filter.get(), &Limits::default()).is_err());

    let (selected, action_dialog_state) = (expect_context::<LeadSelection>(), ActionDialogState::new());
    let conditions = Memo::new(move |_| only_conditions(&applied_filter.get()));
    Effect::new(move |_| {
        // Nothing is shown until a saved view is loaded. While navigating away, the URL already belongs to another
        // page.
        if list_state.with(Option::is_some) && pathname.get() == PAGE_PATH {
            let user = session.user().map(|user| user.id);
            if selected.set_scope(SelectionScope { user, filter: conditions.get() }).is_some_and(|count| count > 0) {
                toasts.show_success(common::selection_dropped());
            }
        }
    });

    // Lazy-loaded parts: loaded on first use and kept.
    let (is_choosing_columns, is_recent_changes_open) = (RwSignal::new(false), RwSignal::new(false));
    let on_change = Callback::new(move |()| lead_results.load());
    let action_dialog_props =
        ActionDialogProps { dialog_state: action_dialog_state, selection: selected, names, on_change };
    let actions =
        render_once_opened(move || action_dialog_state.open.get(), move || bulk_action_dialog(action_dialog_props));
    let recent_changes = render_once_opened(
        move || is_recent_changes_open.get(),
        move || recent_changes(RecentChangesDialogProps { open: is_recent_changes_open, names, on_change }),
    );
    let chooser = render_once_opened(
        move || is_choosing_columns.get(),
        move || {
            let ColumnSettings { shown, widths, set } = columns;
            column_chooser_dialog(ColumnChooserProps {
                open: is_choosing_columns,
                selected: shown.into(),
                custom: lead_results.custom,
                set,
                widths,
            })
        },
    );
    view! {
        <LeadsHeader search_state lead_results columns view_error is_view_missing is_choosing_columns is_recent_changes_open />
        <div class="stack" hidden=move || is_view_missing.get()>
            <div class="search lead-search" role="search">
                <Icon glyph=Glyph::Search />
                <SearchInput
                    label=texts::search()
                    placeholder=texts::search_placeholder()
                    test_id="lead-search"
                    value=search_state.search.into()
                    set=Callback::new(move |search| search_state.search_for(search))
                />
                <kbd aria-hidden="true">/</kbd>
            </div>
            <FilterEditor
                text=edited_filter
                check_result
                explanation
                names
                dates
                is_applied
                on_apply
                on_reset
            />
            {move || match is_filter_invalid.get() {
                true => {
                    let (title, advice) = (texts::link_filter_invalid(), texts::fix_link_filter());
                    Some(view! { <InvalidQueryNotice title advice reset_label=texts::show_all_leads() on_reset /> }.into_any())
                }
                false => {
                    let error = lead_results.leads.error.get();
                    error.map(|error| view! { <ErrorNotice error on_retry=on_change /> }.into_any())
                }
            }}
            <LeadList
                search_state
                lead_results
                names
                columns
                selected
                action_dialog_state
                is_hidden=Signal::derive(move || is_filter_invalid.get() || lead_results.leads.has_failed())
                on_reset
            />
            <CurlCommand filter=Signal::derive(move || {
                (!is_filter_invalid.get()).then(|| canonicalize(&applied_filter.get()))
            }) />
        </div>
        {chooser}
        {actions}
        {recent_changes}
    }
}
