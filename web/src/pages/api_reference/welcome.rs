//! What is shown before an operation is chosen: what holds for all of them, and the groups there are.

use std::sync::Arc;

use leptos::prelude::*;

use crate::components::empty::Empty;
use crate::components::icon::Glyph;
use crate::components::reference::list::{address, group_label};
use crate::components::reference::paragraphs::{paragraphs, with_code};
use crate::openapi::Document;
use crate::request::{KEY_VARIABLE, TOKEN_HEADER};
use crate::when::counted;

#[component]
pub fn Welcome(
    document: Arc<Document>,
    /// What the address names and the document doesn't have; empty for nothing.
    unknown: String,
) -> impl IntoView {
    let missing = (!unknown.is_empty()).then(|| {
        view! {
            <section class="card">
                <Empty glyph=Glyph::Compass title="There is no such operation" text=format!("The server has nothing called “{unknown}”. Choose one from the list.") />
            </section>
        }
    });
    let groups = document.groups().iter().map(|group| {
        let href = address(&group.entries[0].id);
        view! {
            <a class="group-card card" href=href data-test="group">
                <span class="strong">{group_label(&group.name)}</span>
                <span class="small secondary">{with_code(&group.about)}</span>
                <span class="small muted">{counted(group.entries.len() as u64, "operation", "operations")}</span>
            </a>
        }
    });
    view! {
        <div class="stack">
            {missing}
            <section class="card">
                <div class="card-head">
                    <h2>"Leadscribe over HTTP"</h2>
                    <span class="small muted">{format!("Version {}", document.version())}</span>
                </div>
                <div class="card-body stack-tight reference-prose">
                    {paragraphs(document.about())}
                    <p>
                        "Programs send an API key: " <code>{format!("Authorization: Bearer ${KEY_VARIABLE}")}</code>
                        ". What belongs to a speech recognition token asks for it in the header " <code>{TOKEN_HEADER}</code>
                        ". Here, what you try is sent with your session, unless you choose a key."
                    </p>
                </div>
            </section>
            <div class="group-cards">{groups.collect_view()}</div>
        </div>
    }
    .into_any()
}
