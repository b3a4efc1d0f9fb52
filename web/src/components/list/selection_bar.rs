//! Selection bar of a list: the number of selected rows and the bulk actions. It stays visible while the list scrolls and doesn't shift the
//! layout.

use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::focus::focus_soon;
use crate::keys::on_escape;
use crate::texts::common;

/// The bar; shown while rows are selected.
#[component]
pub fn SelectionBar(
    /// Accessible name of the bar.
    label: &'static str,
    /// Number of selected rows.
    #[prop(into)]
    count: Signal<u64>,
    /// The number as text.
    #[prop(into)]
    said: Signal<String>,
    /// Button that selects more rows.
    #[prop(optional, into)]
    more: ViewFn,
    /// Clears the selection.
    on_clear: Callback<()>,
    /// Id of the element that takes the focus after clearing.
    goes_on: &'static str,
    /// Bulk actions.
    #[prop(into)]
    acts: ViewFn,
) -> impl IntoView {
    on_escape(move || {
        if count.get_untracked() > 0 {
            on_clear.run(());
        }
    });
    let is_any = Memo::new(move |_| count.get() > 0);
    view! {
        <div class="selection-dock" aria-live="polite">
            <Show when=move || is_any.get()>
                <div class="selection-bar" role="group" aria-label=label data-test="selection">
                    <div class="selection-said">
                        <strong data-test="selected">{said}</strong>
                        {more.run()}
                        <button
                            type="button"
                            class="button button-plain button-icon button-small"
                            aria-label=common::clear_selection()
                            title=common::clear_selection_keys()
                            data-test="select-none"
                            on:click=move |_| {
                                on_clear.run(());
                                focus_soon(goes_on.to_owned());
                            }
                        >
                            <Icon glyph=Glyph::Close />
                        </button>
                    </div>
                    <div class="selection-acts">{acts.run()}</div>
                </div>
            </Show>
        </div>
    }
    .into_any()
}
