//! Bar with the number of selected leads and the bulk actions.

use leptos::prelude::*;

use super::action_form::LeadActionKind;
use crate::i18n::datetime::format_count;
use crate::i18n::texts::leads;
use crate::ui::lead::selection::LeadSelection;
use crate::ui::lead::table::SELECT_PAGE_ID;
use crate::ui::list::selection_bar::SelectionBar;

/// The bar; shown while leads are selected.
#[component]
pub fn LeadSelectionBar(
    selection: LeadSelection,
    /// Number of leads that match the filter.
    #[prop(into)]
    total: Signal<Option<u64>>,
    /// Selects all matching leads.
    on_select_all: Callback<()>,
    on_action: Callback<LeadActionKind>,
) -> impl IntoView {
    let status_text = Signal::derive(move || {
        let count = selection.len();
        if selection.is_all() { leads::all_selected(count) } else { leads::selected(count) }
    });
    let selectable_total = move || total.get().filter(|total| !selection.is_all() && *total > selection.len());
    let select_all_button = move || {
        selectable_total().map(|total| {
            view! {
                <button
                    type="button"
                    class="button button-plain button-small"
                    aria-label=move || format!("{}{}", leads::select_all(format_count(total)), leads::matching_leads_suffix())
                    data-test="select-all"
                    on:click=move |_| on_select_all.run(())
                >
                    {leads::select_all(format_count(total))}
                    <span class="hide-on-narrow">{leads::matching_leads_suffix()}</span>
                </button>
            }
        })
    };
    let action = move |action: LeadActionKind| {
        view! {
            <button
                type="button"
                class="button button-small"
                data-test=format!("lead-action-{}", action.name())
                on:click=move |_| on_action.run(action)
            >
                {action.label()}
            </button>
        }
    };
    let actions = move || LeadActionKind::ALL.map(action).into_iter().collect_view();
    view! {
        <SelectionBar
            label=leads::selected_leads()
            count=Signal::derive(move || selection.len())
            status_text
            select_more=move || select_all_button
            on_clear=Callback::new(move |()| selection.clear())
            focus_after_clear=SELECT_PAGE_ID
            actions
        />
    }
    .into_any()
}
