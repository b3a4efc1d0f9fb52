//! Labeled input with its hint and its diagnostics.

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::ui::icon::{Glyph, Icon};
use crate::ui::prose::{field_detail, suggestion};

/// A labeled input. The children contain the input, with the id `id` and optionally `aria-describedby="{id}-note"`.
#[component]
pub fn Field(
    #[prop(into)] id: String,
    #[prop(into)] label: String,
    #[prop(optional, into)] hint: Option<String>,
    /// Diagnostics of this field.
    #[prop(optional, into)]
    diagnostics: Option<Signal<Vec<Diagnostic>>>,
    /// Note about a valid value.
    #[prop(optional)]
    note: Option<AnyView>,
    children: Children,
) -> impl IntoView {
    let note_id = format!("{id}-note");
    view! {
        <div class="field">
            <label for=id>{label}</label>
            {children()}
            <div id=note_id class="stack-tight" aria-live="polite">
                {note}
                {hint.filter(|hint| !hint.is_empty()).map(|hint| view! { <p class="field-hint">{hint}</p> })}
                {diagnostics.map(|diagnostics| view! { <FieldDiagnostics diagnostics /> })}
            </div>
        </div>
    }
}

/// List of diagnostics below the element they refer to.
#[component]
pub fn FieldDiagnostics(#[prop(into)] diagnostics: Signal<Vec<Diagnostic>>) -> impl IntoView {
    move || {
        diagnostics
            .get()
            .into_iter()
            .map(|diagnostic| {
                let (detail, suggestion) = (field_detail(&diagnostic), suggestion(&diagnostic));
                view! {
                    <p class="field-error" data-test="diagnostic" data-code=diagnostic.code>
                        <Icon glyph=Glyph::Alert />
                        <span>{detail} {suggestion}</span>
                    </p>
                }
            })
            .collect_view()
    }
}
