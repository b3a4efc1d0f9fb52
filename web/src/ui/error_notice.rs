//! Error notices, with a next step: a failed request, or a part of the panel that couldn't be loaded.

use leadscribe_engine::diagnostic::{Diagnostic, Location};
use leptos::ev;
use leptos::prelude::*;

use crate::api::ApiError;
use crate::browser::dom::listen_on_window;
use crate::i18n::texts::{common, problems, shell};
use crate::ui::input::Button;
use crate::ui::prose::{detail, suggestion};
use crate::ui::{Glyph, Icon};

/// Error response or lost connection. With `on_retry`, shows a retry button. After a lost connection, also retries when
/// the browser is online again.
#[component]
pub fn ErrorNotice(error: ApiError, #[prop(optional, into)] on_retry: Option<Callback<()>>) -> impl IntoView {
    let request_id = error.request_id().map(problems::request);
    let body = view! {
        <p>{error.advice()}</p>
        {diagnostic_list(&error.diagnostics())}
        {request_id.map(|request_id| view! { <p class="small muted mono">{request_id}</p> })}
    };
    notice(&error, error.title(), body.into_any(), on_retry)
}

/// Like [`ErrorNotice`], without diagnostics and the engine's message catalog: for the login page.
#[component]
pub fn ShortErrorNotice(
    error: ApiError,
    #[prop(optional_no_strip)] title: Option<&'static str>,
    #[prop(optional_no_strip)] advice: Option<&'static str>,
    #[prop(optional, into)] on_retry: Option<Callback<()>>,
) -> impl IntoView {
    let title = title.map_or_else(|| error.title(), str::to_owned);
    let advice = advice.map_or_else(|| error.short_advice(), str::to_owned);
    notice(&error, title, view! { <p>{advice}</p> }.into_any(), on_retry)
}

fn notice(error: &ApiError, title: String, body: AnyView, on_retry: Option<Callback<()>>) -> AnyView {
    if let (ApiError::Offline, Some(retry)) = (error, on_retry) {
        listen_on_window(ev::online, move |_| retry.run(()));
    }
    let retry_button = on_retry.map(|retry| {
        view! {
            <Button class="button-small" label=common::try_again() on_press=retry />
        }
    });
    view! {
        <div class="notice tone-danger" role="alert" data-test="error">
            <Icon glyph=Glyph::Alert />
            <div class="notice-body">
                <strong>{title}</strong>
                {body}
            </div>
            {retry_button}
        </div>
    }
    .into_any()
}

/// List of diagnostics, each with its location.
pub fn diagnostic_list(diagnostics: &[Diagnostic]) -> impl IntoView + use<> {
    let lines = diagnostics.iter().map(|diagnostic| {
        let (Location::Pointer(location) | Location::Parameter(location) | Location::Column(location)) =
            diagnostic.location.clone();
        let location = (!location.is_empty()).then(|| view! { <span class="chip mono">{location}</span> " " });
        view! { <li data-code=diagnostic.code.clone()>{location} {detail(diagnostic)} {suggestion(diagnostic)}</li> }
    });
    view! { <ul>{lines.collect_view()}</ul> }
}

/// Offers to reload the panel: the connection was lost, or a newer server has different file names.
#[component]
pub fn ChunkLoadError() -> impl IntoView {
    let reload = move |()| window().location().reload().unwrap_or_default();
    view! {
        <div class="notice tone-danger" role="alert" data-test="chunk-load-error">
            <Icon glyph=Glyph::Alert />
            <div class="notice-body">
                <strong>{shell::page_load_failed()}</strong>
                <p>{shell::page_load_failed_text()}</p>
            </div>
            <Button class="button-small" label=shell::reload() on_press=reload />
        </div>
    }
}
