//! A request as code to copy: for a shell, JavaScript, Python.

use leptos::prelude::*;

use super::copy_button::CopyButton;
use crate::request::{Language, Request};

/// Where this browser remembers the language.
const KEY: &str = "leadscribe.code-language";

#[component]
pub fn RequestCode(
    #[prop(into)] request: Signal<Request>,
    #[prop(default = "The same over the API")] title: &'static str,
) -> impl IntoView {
    let language = RwSignal::new(remembered().unwrap_or(Language::Curl));
    let origin = window().location().origin().unwrap_or_default();
    let code = Signal::derive(move || request.with(|request| request.code(language.get(), &origin)));
    let choices = Language::ALL.map(|one| {
        view! {
            <button
                type="button"
                aria-pressed=move || (language.get() == one).to_string()
                data-test=format!("code-{}", one.name())
                on:click=move |_| {
                    remember(one);
                    language.set(one);
                }
            >
                {one.label()}
            </button>
        }
    });
    view! {
        <section class="card curl" aria-label=title>
            <div class="card-head">
                <h2>{title}</h2>
                <div class="row">
                    <div class="segments" role="group" aria-label="Language">
                        {choices.collect_view()}
                    </div>
                    <CopyButton text=code />
                </div>
            </div>
            <pre tabindex="0" role="region" aria-label="Code" data-test=move || language.get().name()>
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
        // A browser that refuses shows the first language again next time.
        let _ = storage.set_item(KEY, language.name());
    }
}

/// None where the browser's settings forbid it.
fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}
