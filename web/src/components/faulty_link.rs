//! What stands in place of leads where the address has a filter that can't be asked for.

use leptos::prelude::*;

use super::icon::{Glyph, Icon};
use crate::texts::leads as texts;

#[component]
pub fn FaultyLink(on_reset: Callback<()>) -> impl IntoView {
    view! {
        <div class="notice tone-warning" role="alert" data-test="faulty-link">
            <Icon glyph=Glyph::Alert />
            <div class="notice-body">
                <strong>{texts::filter_of_link_is_faulty()}</strong>
                <p>{texts::mend_filter_of_link()}</p>
            </div>
            <button type="button" class="button button-small" data-test="show-all" on:click=move |_| on_reset.run(())>
                {texts::show_all_leads()}
            </button>
        </div>
    }
}
