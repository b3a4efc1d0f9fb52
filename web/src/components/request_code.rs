//! A request as code to copy: shell, JavaScript or Python.

use leptos::prelude::*;

use crate::components::copy_button::CopyButton;
use crate::components::segmented_control::{SegmentedControl, segment};
use crate::request::{CodeLanguage, Request};
use crate::storage::local_storage;
use crate::texts::api_page as texts;

/// Local storage key of the selected language.
const STORAGE_KEY: &str = "leadscribe.code-language";

#[component]
pub fn RequestCode(
    #[prop(into)] request: Signal<Request>,
    #[prop(default = texts::api_request())] title: &'static str,
) -> impl IntoView {
    let language = RwSignal::new(load_language().unwrap_or(CodeLanguage::Curl));
    let origin = window().location().origin().unwrap_or_default();
    let code = Signal::derive(move || request.with(|request| request.code(language.get(), &origin)));
    let languages = CodeLanguage::ALL.map(|one| segment(one, one.label(), format!("code-{}", one.name())));
    let on_choose = move |selected| {
        store_language(selected);
        language.set(selected);
    };
    view! {
        <section class="card curl" aria-label=title>
            <div class="card-header">
                <h2>{title}</h2>
                <div class="row">
                    <SegmentedControl label=texts::code_language() segments=languages.into() selected=language on_choose />
                    <CopyButton text=code />
                </div>
            </div>
            <pre tabindex="0" role="region" aria-label=texts::code() data-test=move || language.get().name()>
                {code}
            </pre>
        </section>
    }
    .into_any()
}

fn load_language() -> Option<CodeLanguage> {
    let name = local_storage()?.get_item(STORAGE_KEY).ok()??;
    CodeLanguage::ALL.into_iter().find(|language| language.name() == name)
}

fn store_language(language: CodeLanguage) {
    if let Some(storage) = local_storage() {
        // If the browser refuses to store it, the next visit starts with the first language.
        let _ = storage.set_item(STORAGE_KEY, language.name());
    }
}
