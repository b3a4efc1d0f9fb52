//! What is selected in a list, and what can be done with it; it stays in sight while the list scrolls, and moves nothing when it
//! comes.

use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::focus::focus_soon;
use crate::keys::on_escape;
use crate::texts::common;

/// The bar; it is there while something is selected.
#[component]
pub fn SelectionBar(
    /// What is selected, for who doesn't see where it stands.
    label: &'static str,
    /// How many are.
    #[prop(into)]
    count: Signal<u64>,
    /// The same in words.
    #[prop(into)]
    said: Signal<String>,
    /// A way to select more.
    #[prop(optional, into)]
    more: ViewFn,
    /// Takes all of it back.
    on_clear: Callback<()>,
    /// The id of where the keyboard goes on when that was pressed.
    goes_on: &'static str,
    /// What can be done with them.
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
