//! Start page of the reference: general rules and the groups of operations.

use std::sync::Arc;

use leptos::prelude::*;

use crate::components::empty::Empty;
use crate::components::icon::Glyph;
use crate::components::prose::with_code;
use crate::components::reference::list::{address, group_label};
use crate::components::reference::paragraphs::paragraphs;
use crate::openapi::Document;
use crate::request::{KEY_VARIABLE, TOKEN_HEADER};
use crate::texts::api_page as texts;

#[component]
pub fn Welcome(
    document: Arc<Document>,
    /// Operation in the address that the document doesn't have; empty for none.
    unknown: String,
) -> impl IntoView {
    let missing = (!unknown.is_empty()).then(|| {
        view! {
            <section class="card">
                <Empty glyph=Glyph::Compass title=texts::no_operation_title() text=texts::no_operation_text(&unknown) />
            </section>
        }
    });
    let groups = document.groups().iter().map(|group| {
        let href = address(&group.entries[0].id);
        view! {
            <a class="group-card card" href=href data-test="group">
                <span class="strong">{group_label(&group.name)}</span>
                <span class="small secondary">{with_code(&group.about)}</span>
                <span class="small muted">{texts::operations(group.entries.len() as u64)}</span>
            </a>
        }
    });
    view! {
        <div class="stack">
            {missing}
            <section class="card">
                <div class="card-head">
                    <h2>{texts::welcome()}</h2>
                    <span class="small muted">{texts::version(document.version())}</span>
                </div>
                <div class="card-body stack-tight reference-prose">
                    {paragraphs(document.about())}
                    <p>
                        {texts::proof_key()} <code>{format!("Authorization: Bearer ${KEY_VARIABLE}")}</code>
                        {texts::proof_token()} <code>{TOKEN_HEADER}</code>
                        {texts::proof_here()}
                    </p>
                </div>
            </section>
            <div class="group-cards">{groups.collect_view()}</div>
        </div>
    }
    .into_any()
}
