//! Required access of an operation.

use leadscribe_engine::host;
use leptos::prelude::*;

use crate::components::badge::humanize;
use crate::openapi::Access;
use crate::texts::api_page as texts;

/// Scopes and roles as badges.
#[component]
pub fn AccessBadges(access: Access) -> impl IntoView {
    let Access { is_open, accepts_key, accepts_speech_token, scopes, roles, .. } = access;
    let badge = |label: &'static str, text: String| {
        view! {
            <span class="access-mark">
                <span class="muted">{label}</span>
                " "
                <span class="strong">{text}</span>
            </span>
        }
    };
    let scopes = scopes.into_iter().reduce(texts::one_or_other).unwrap_or_else(|| texts::any_scope().to_owned());
    let key = accepts_key.then(|| badge(texts::key(), scopes));
    let token = accepts_speech_token.then(|| badge(texts::header(), "X-Speech-Token".to_owned()));
    let roles = (!roles.is_empty()).then(|| {
        let roles: Vec<_> = roles.iter().map(|role| host::to_lower(&humanize(role))).collect();
        badge(texts::staff(), roles.join(", "))
    });
    view! {
        <p class="access-marks small" data-test="access">
            {is_open.then(|| view! { <span class="access-mark strong">{texts::open()}</span> })} {key} {token} {roles}
        </p>
    }
    .into_any()
}
