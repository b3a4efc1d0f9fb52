//! Required access of an operation.

use leadscribe_engine::host;
use leptos::prelude::*;

use crate::components::badge::spelled;
use crate::openapi::Access;
use crate::texts::api_page as texts;

/// Scopes and roles as badges.
#[component]
pub fn AccessMarks(access: Access) -> impl IntoView {
    let Access { open, key, token, scopes, roles, .. } = access;
    let mark = |label: &'static str, text: String| {
        view! {
            <span class="access-mark">
                <span class="muted">{label}</span>
                " "
                <span class="strong">{text}</span>
            </span>
        }
    };
    let scopes = scopes.into_iter().reduce(texts::either).unwrap_or_else(|| texts::any_scope().to_owned());
    let key = key.then(|| mark(texts::key(), scopes));
    let token = token.then(|| mark(texts::header(), "X-Speech-Token".to_owned()));
    let roles = (!roles.is_empty()).then(|| {
        let roles: Vec<_> = roles.iter().map(|role| host::lower(&spelled(role))).collect();
        mark(texts::staff(), roles.join(", "))
    });
    view! {
        <p class="access-marks small" data-test="access">
            {open.then(|| view! { <span class="access-mark strong">{texts::open()}</span> })} {key} {token} {roles}
        </p>
    }
    .into_any()
}
