//! Bar with the number of selected leads and the bulk actions.

use leptos::prelude::*;

use super::action_form::Deed;
use super::selection::LeadSelection;
use super::table::SELECT_PAGE;
use crate::components::list::selection_bar::SelectionBar;
use crate::texts::leads;
use crate::when::count;

/// The bar; shown while leads are selected.
#[component]
pub fn LeadSelectionBar(
    selection: LeadSelection,
    /// Number of leads that match the filter.
    #[prop(into)]
    total: Signal<Option<u64>>,
    /// Selects all matching leads.
    on_all: Callback<()>,
    on_act: Callback<Deed>,
) -> impl IntoView {
    let said = Signal::derive(move || {
        let count = selection.len();
        if selection.is_all() { leads::all_selected(count) } else { leads::selected(count) }
    });
    let left = move || total.get().filter(|total| !selection.is_all() && *total > selection.len());
    let more = move || {
        left().map(|total| {
            view! {
                <button
                    type="button"
                    class="button button-plain button-small"
                    aria-label=move || format!("{}{}", leads::select_all(count(total)), leads::that_match())
                    data-test="select-all"
                    on:click=move |_| on_all.run(())
                >
                    {leads::select_all(count(total))}
                    <span class="selection-wide">{leads::that_match()}</span>
                </button>
            }
        })
    };
    let deed = move |deed: Deed| {
        view! {
            <button
                type="button"
                class="button button-small"
                data-test=format!("act-{}", deed.name())
                on:click=move |_| on_act.run(deed)
            >
                {deed.label()}
            </button>
        }
    };
    let acts = move || Deed::ALL.map(deed).into_iter().collect_view();
    view! {
        <SelectionBar
            label=leads::selected_leads()
            count=Signal::derive(move || selection.len())
            said
            more=move || more
            on_clear=Callback::new(move |()| selection.clear())
            goes_on=SELECT_PAGE
            acts
        />
    }
    .into_any()
}
