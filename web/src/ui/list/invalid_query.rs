//! Message in place of a list whose URL has an invalid query.

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::api::ApiError;
use crate::i18n::texts::common;
use crate::ui::input::Button;
use crate::ui::{ErrorNotice, Glyph, Icon, diagnostic_list};

#[component]
pub fn InvalidQueryNotice(
    title: &'static str,
    advice: &'static str,
    /// Diagnostics that don't belong to an input.
    #[prop(optional)]
    diagnostics: Vec<Diagnostic>,
    /// Label of the link to the whole list.
    reset_label: &'static str,
    on_reset: Callback<()>,
) -> impl IntoView {
    view! {
        <div class="notice tone-warning" role="alert" data-test="invalid-query">
            <Icon glyph=Glyph::Alert />
            <div class="notice-body">
                <strong>{title}</strong>
                <p>{advice}</p>
                {diagnostic_list(&diagnostics)}
            </div>
            <Button class="button-small" label=reset_label test_id="show-all" on_press=on_reset />
        </div>
    }
}

/// Error of a list. Diagnostics of the inputs in `field_parameters` are shown there instead.
#[component]
pub fn ListError(
    #[prop(into)] error: Signal<Option<ApiError>>,
    field_parameters: &'static [&'static str],
    reset_label: &'static str,
    on_reset: Callback<()>,
    on_retry: Callback<()>,
) -> impl IntoView {
    let notice = move |error: ApiError| match error.diagnostics().is_empty() {
        true => view! { <ErrorNotice error on_retry /> }.into_any(),
        false => {
            let diagnostics =
                error.excluding_fields(field_parameters).map(|rest| rest.diagnostics()).unwrap_or_default();
            let (title, advice) = (common::invalid_filter(), common::invalid_filter_hint());
            view! { <InvalidQueryNotice title advice diagnostics reset_label on_reset /> }.into_any()
        }
    };
    (move || error.get().map(notice)).into_any()
}
