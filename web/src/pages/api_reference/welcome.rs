//! Start page of the reference: general rules and the groups of operations.

use std::sync::Arc;

use leptos::prelude::*;

use crate::components::empty_state::EmptyState;
use crate::components::icon::Glyph;
use crate::components::prose::with_code;
use crate::components::reference::list::{group_label, operation_href};
use crate::components::reference::paragraphs::paragraphs;
use crate::openapi::Document;
use crate::request::{KEY_VARIABLE, TOKEN_HEADER};
use crate::texts::api_page as texts;

#[component]
pub fn Welcome(
    document: Arc<Document>,
    /// Operation in the URL that the document doesn't have; empty for none.
    unknown_operation: String,
) -> impl IntoView {
    let unknown_notice = (!unknown_operation.is_empty()).then(|| {
        view! {
            <section class="card">
                <EmptyState glyph=Glyph::Compass title=texts::no_operation_title() text=texts::no_operation_text(&unknown_operation) />
            </section>
        }
    });
    let groups = document.groups().iter().map(|group| {
        let href = operation_href(&group.operations[0].id);
        view! {
            <a class="group-card card" href=href data-test="group">
                <span class="strong">{group_label(&group.name)}</span>
                <span class="small secondary">{with_code(&group.description)}</span>
                <span class="small muted">{texts::operations(group.operations.len() as u64)}</span>
            </a>
        }
    });
    view! {
        <div class="stack">
            {unknown_notice}
            <section class="card">
                <div class="card-header">
                    <h2>{texts::welcome()}</h2>
                    <span class="small muted">{texts::version(document.version())}</span>
                </div>
                <div class="card-body stack-tight reference-prose">
                    {paragraphs(document.description())}
                    <p>
                        {texts::key_auth_intro()} <code>{format!("Authorization: Bearer ${KEY_VARIABLE}")}</code>
                        {texts::token_auth_intro()} <code>{TOKEN_HEADER}</code>
                        {texts::try_it_auth_note()}
                    </p>
                </div>
            </section>
            <div class="group-cards">{groups.collect_view()}</div>
        </div>
    }
    .into_any()
}
