//! Availability of speech recognition, and the queue of recordings.

use leadscribe_engine::api::{RecognizerState, RecognizerStatus};
use leptos::prelude::*;

use crate::api::sentence;
use crate::components::copy_button::CopyButton;
use crate::components::icon::{Glyph, Icon};
use crate::faults::told;
use crate::texts::calls as texts;

/// Notice about a problem with speech recognition, if any.
#[component]
pub fn RecognizerNotice(#[prop(into)] status: Signal<Option<RecognizerStatus>>) -> impl IntoView {
    let shown =
        Memo::new(move |_| status.with(|status| status.as_ref().map(|status| (status.state, status.detail.clone()))));
    move || match shown.get()? {
        (RecognizerState::Missing, detail) => {
            let detail = detail.unwrap_or_default();
            let (text, way) = parts(&detail);
            let way = way.map(|(way, command)| {
                view! {
                    <div class="row">
                        {way}
                        <code>{command.clone()}</code>
                        <CopyButton text=Signal::stored(command) />
                    </div>
                }
            });
            let text = texts::calls_wait(sentence(&told(text)));
            Some(notice("tone-warning", texts::not_transcribed_yet(), text, way))
        }
        (RecognizerState::Off, _) => {
            Some(notice("tone-info", texts::recognition_is_off(), texts::wait_for_operator().to_owned(), None::<()>))
        }
        _ => None,
    }
}

fn notice(tone: &str, title: &'static str, text: String, command: Option<impl IntoView + 'static>) -> AnyView {
    view! {
        <div class=format!("notice {tone}") role="status" data-test="recognizer">
            <Icon glyph=Glyph::Info />
            <div class="notice-body">
                <strong>{title}</strong>
                <p>{text}</p>
                {command}
            </div>
        </div>
    }
    .into_any()
}

/// Number of queued recordings; empty if there are none.
#[component]
pub fn QueueLine(#[prop(into)] status: Signal<Option<RecognizerStatus>>) -> impl IntoView {
    let queued = Memo::new(move |_| status.with(|status| status.as_ref().map_or(0, |status| status.queued)));
    let waits = move || queued.get() > 0;
    let text = move || waits().then(|| texts::wait(queued.get()));
    let loading =
        move || status.with(|status| status.as_ref().is_some_and(|status| status.state == RecognizerState::Loading));
    view! {
        <p class="queue-line small secondary" role="status" data-test="queue">
            <Show when=waits>
                <Icon glyph=Glyph::Clock />
            </Show>
            {text}
            {move || loading().then(|| view! { <span>{texts::model_is_loading()}</span> })}
        </p>
    }
}

/// Splits a detail into the problem and, if it ends with a command, the instruction and the command.
fn parts(detail: &str) -> (&str, Option<(String, String)>) {
    let way = || {
        let (text, command) = detail.rsplit_once(": ").filter(|(_, command)| command.starts_with("leadscribe "))?;
        let (text, way) = text.rsplit_once("; ")?;
        Some((text, (sentence(&told(way)).replace('.', ":"), command.to_owned())))
    };
    way().map_or((detail, None), |(text, way)| (text, Some(way)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Language, speak};

    #[test]
    fn splits_off_the_command() {
        let detail = "the model base is missing; bring it with: leadscribe model get base";
        let way = ("Bring it with:".to_owned(), "leadscribe model get base".to_owned());
        assert_eq!(parts(detail), ("the model base is missing", Some(way)));
        assert_eq!(parts("the file: a directory"), ("the file: a directory", None));
        speak(Language::German);
        let (text, way) = parts(detail);
        assert_eq!((told(text).as_str(), way.unwrap().0.as_str()), ("das Modell base fehlt", "Holen Sie es mit:"));
    }
}
