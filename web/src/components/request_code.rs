//! A request as code to copy: shell, JavaScript or Python.

use leptos::prelude::*;

use crate::components::copy_button::CopyButton;
use crate::components::segments::{Segments, segment};
use crate::request::{Language, Request};
use crate::storage::storage;
use crate::texts::api_page as texts;

/// Local storage key of the selected language.
const KEY: &str = "leadscribe.code-language";

#[component]
pub fn RequestCode(
    #[prop(into)] request: Signal<Request>,
    #[prop(default = texts::same_over_api())] title: &'static str,
) -> impl IntoView {
    let language = RwSignal::new(remembered().unwrap_or(Language::Curl));
    let origin = window().location().origin().unwrap_or_default();
    let code = Signal::derive(move || request.with(|request| request.code(language.get(), &origin)));
    let languages = Language::ALL.map(|one| segment(one, one.label(), format!("code-{}", one.name())));
    let on_choose = move |chosen| {
        remember(chosen);
        language.set(chosen);
    };
    view! {
        <section class="card curl" aria-label=title>
            <div class="card-head">
                <h2>{title}</h2>
                <div class="row">
                    <Segments label=texts::code_language() segments=languages.into() chosen=language on_choose />
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

fn remembered() -> Option<Language> {
    let name = storage()?.get_item(KEY).ok()??;
    Language::ALL.into_iter().find(|one| one.name() == name)
}

fn remember(language: Language) {
    if let Some(storage) = storage() {
        // If the browser refuses to store it, the next visit starts with the first language.
        let _ = storage.set_item(KEY, language.name());
    }
}
