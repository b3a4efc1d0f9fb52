//! Who may call an operation.

use leptos::prelude::*;

use crate::components::badge::spelled;
use crate::openapi::Access;

/// Scope and roles, as marks.
#[component]
pub fn AccessMarks(access: Access) -> impl IntoView {
    let Access { open, key, token, scope, roles, .. } = access;
    let mark = |label: &'static str, text: String| {
        view! {
            <span class="access-mark">
                <span class="muted">{label}</span>
                " "
                <span class="strong">{text}</span>
            </span>
        }
    };
    let key = key.then(|| mark("API key", scope.unwrap_or_else(|| "of any scope".to_owned())));
    let token = token.then(|| mark("Header", "X-Speech-Token".to_owned()));
    let roles = (!roles.is_empty()).then(|| {
        let roles: Vec<_> = roles.iter().map(|role| spelled(role).to_lowercase()).collect();
        mark("Staff", roles.join(", "))
    });
    view! {
        <p class="access-marks small" data-test="access">
            {open.then(|| view! { <span class="access-mark strong">"No proof needed"</span> })} {key} {token} {roles}
        </p>
    }
    .into_any()
}
