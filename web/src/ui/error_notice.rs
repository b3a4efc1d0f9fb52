//! Error notice for a failed request, with a next step.

use leadscribe_engine::diagnostic::{Diagnostic, Location};
use leptos::ev;
use leptos::prelude::*;

use crate::api::ApiError;
use crate::i18n::texts::{common, errors};
use crate::ui::icon::{Glyph, Icon};
use crate::ui::prose::{detail, suggestion};

/// Error response or lost connection. With `on_retry`, shows a retry button and retries automatically when the browser is online again.
#[component]
pub fn ErrorNotice(error: ApiError, #[prop(optional, into)] on_retry: Option<Callback<()>>) -> impl IntoView {
    retry_when_online(&error, on_retry);
    let request_id = error.request_id().map(errors::request);
    view! {
        <div class="notice tone-danger" role="alert" data-test="error">
            <Icon glyph=Glyph::Alert />
            <div class="notice-body">
                <strong>{error.title()}</strong>
                <p>{error.advice()}</p>
                {diagnostic_list(&error.diagnostics())}
                {request_id.map(|request_id| view! { <p class="small muted mono">{request_id}</p> })}
            </div>
            {retry_button(on_retry)}
        </div>
    }
}

/// Like [`ErrorNotice`], without diagnostics and the engine's message catalog: for the login page.
#[component]
pub fn ShortErrorNotice(
    error: ApiError,
    #[prop(optional_no_strip)] title: Option<&'static str>,
    #[prop(optional_no_strip)] advice: Option<&'static str>,
    #[prop(optional, into)] on_retry: Option<Callback<()>>,
) -> impl IntoView {
    retry_when_online(&error, on_retry);
    view! {
        <div class="notice tone-danger" role="alert" data-test="error">
            <Icon glyph=Glyph::Alert />
            <div class="notice-body">
                <strong>{title.map_or_else(|| error.title(), str::to_owned)}</strong>
                <p>{advice.map_or_else(|| error.short_advice(), str::to_owned)}</p>
            </div>
            {retry_button(on_retry)}
        </div>
    }
    .into_any()
}

/// Retries automatically when the browser is online again.
fn retry_when_online(error: &ApiError, on_retry: Option<Callback<()>>) {
    if let (ApiError::Offline, Some(retry)) = (error, on_retry) {
        let listener = window_event_listener(ev::online, move |_| retry.run(()));
        on_cleanup(move || listener.remove());
    }
}

fn retry_button(on_retry: Option<Callback<()>>) -> Option<AnyView> {
    on_retry.map(|retry| {
        view! {
            <button type="button" class="button button-small" on:click=move |_| retry.run(())>
                {common::try_again()}
            </button>
        }
        .into_any()
    })
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
