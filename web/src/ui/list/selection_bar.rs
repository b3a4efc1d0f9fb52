//! Selection bar of a list: the number of selected rows and the bulk actions. It stays visible while the list scrolls
//! and doesn't shift the layout.

use leptos::prelude::*;

use crate::browser::focus::focus_after_render;
use crate::i18n::keyboard::on_escape;
use crate::i18n::texts::common;
use crate::ui::Glyph;
use crate::ui::input::IconButton;

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
    status_text: Signal<String>,
    /// Button that selects more rows.
    #[prop(optional, into)]
    select_more: ViewFn,
    on_clear: Callback<()>,
    /// Id of the element that takes the focus after clearing.
    focus_after_clear: &'static str,
    #[prop(into)] actions: ViewFn,
) -> impl IntoView {
    on_escape(move || {
        if count.get_untracked() > 0 {
            on_clear.run(());
        }
    });
    let has_selection = Memo::new(move |_| count.get() > 0);
    view! {
        <div class="selection-dock" aria-live="polite">
            <Show when=move || has_selection.get()>
                <div class="selection-bar" role="group" aria-label=label data-test="selection">
                    <div class="row selection-status">
                        <strong data-test="selected">{status_text}</strong>
                        {select_more.run()}
                        <IconButton
                            glyph=Glyph::Close
                            label=common::clear_selection()
                            title=common::clear_selection_keys()
                            test_id="select-none"
                            on_press=move |()| {
                                on_clear.run(());
                                focus_after_render(focus_after_clear.to_owned());
                            }
                        />
                    </div>
                    <div class="row selection-actions">{actions.run()}</div>
                </div>
            </Show>
        </div>
    }
}
