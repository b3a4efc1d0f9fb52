//! Message in place of a list whose URL has an invalid query.

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::api::ApiError;
use crate::components::error_notice::{ErrorNotice, fault_list};
use crate::components::icon::{Glyph, Icon};
use crate::texts::common;

#[component]
pub fn FaultyLink(
    title: &'static str,
    advice: &'static str,
    /// Faults that don't belong to an input.
    #[prop(optional)]
    faults: Vec<Diagnostic>,
    /// Label of the link to the whole list.
    show_all: &'static str,
    on_reset: Callback<()>,
) -> impl IntoView {
    view! {
        <div class="notice tone-warning" role="alert" data-test="faulty-link">
            <Icon glyph=Glyph::Alert />
            <div class="notice-body">
                <strong>{title}</strong>
                <p>{advice}</p>
                {fault_list(&faults)}
            </div>
            <button type="button" class="button button-small" data-test="show-all" on:click=move |_| on_reset.run(())>
                {show_all}
            </button>
        </div>
    }
    .into_any()
}

/// Error of a list. Faults of the inputs in `shown` are shown there instead.
#[component]
pub fn ListError(
    #[prop(into)] error: Signal<Option<ApiError>>,
    shown: &'static [&'static str],
    show_all: &'static str,
    on_reset: Callback<()>,
    on_retry: Callback<()>,
) -> impl IntoView {
    let notice = move |error: ApiError| match error.faults().is_empty() {
        true => view! { <ErrorNotice error on_retry /> }.into_any(),
        false => {
            let faults = error.beside(shown).map(|rest| rest.faults().to_vec()).unwrap_or_default();
            let (title, advice) = (common::list_is_faulty(), common::mend_or_show_all());
            view! { <FaultyLink title advice faults show_all on_reset /> }.into_any()
        }
    };
    (move || error.get().map(notice)).into_any()
}
