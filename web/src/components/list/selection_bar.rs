//! What is selected in the list of leads, and what can be done with it; it stays in sight while the list scrolls.

use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::components::lead::action_form::Deed;
use crate::components::lead::selection::LeadSelection;
use crate::components::lead::table::SELECT_PAGE;
use crate::focus::focus_soon;
use crate::keys::on_escape;
use crate::texts::leads;
use crate::when::count;

/// The bar; it is there while something is selected.
#[component]
pub fn SelectionBar(
    selection: LeadSelection,
    /// How many leads match the filter.
    #[prop(into)]
    total: Signal<Option<u64>>,
    /// Selects all of them.
    on_all: Callback<()>,
    on_act: Callback<Deed>,
) -> impl IntoView {
    on_escape(move || {
        if untrack(|| selection.len()) > 0 {
            selection.clear();
        }
    });
    let is_any = Memo::new(move |_| selection.len() > 0);
    let said = move || {
        let count = selection.len();
        if selection.is_all() { leads::all_selected(count) } else { leads::selected(count) }
    };
    let more = move || total.get().filter(|total| !selection.is_all() && *total > selection.len());
    let clear = move |_| {
        selection.clear();
        focus_soon(SELECT_PAGE.to_owned());
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
    let deeds = move || Deed::ALL.map(deed).into_iter().collect_view();
    view! {
        <div class="selection-dock" aria-live="polite">
            <Show when=move || is_any.get()>
                <div class="selection-bar" role="group" aria-label=leads::selected_leads() data-test="selection">
                    <div class="selection-said">
                        <strong data-test="selected">{said}</strong>
                        {move || {
                            more().map(|total| {
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
                        }}
                        <button
                            type="button"
                            class="button button-plain button-icon button-small"
                            aria-label=leads::clear_selection()
                            title=leads::clear_selection_keys()
                            data-test="select-none"
                            on:click=clear
                        >
                            <Icon glyph=Glyph::Close />
                        </button>
                    </div>
                    <div class="selection-acts">{deeds()}</div>
                </div>
            </Show>
        </div>
    }
    .into_any()
}
