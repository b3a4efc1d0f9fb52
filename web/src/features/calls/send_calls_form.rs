//! Form that sends calls to speech recognition. It produces JSON, which the engine checks at each change.

use leadscribe_engine::api::{CallId, RecordingSide, SpeechToken};
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::submission::MAX_LANGUAGES;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::i18n::texts::{call, calls as texts};
use crate::i18n::validation_errors::diagnostics_at;
use crate::state::form_json::number_value;
use crate::ui::input::chip_picker::{ChipPicker, Choice};
use crate::ui::input::field::{Field, FieldDiagnostics};
use crate::ui::input::time_field::{SECOND, TimeField};
use crate::ui::segmented_control::{SegmentedControl, segment};

/// Form values as typed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SendCallsDraft {
    pub token: String,
    pub languages: Vec<String>,
    pub recording_side: String,
    pub min_duration: String,
    pub from: String,
    pub till: String,
}

impl Default for SendCallsDraft {
    fn default() -> Self {
        Self {
            token: String::new(),
            languages: Vec::new(),
            recording_side: RecordingSide::Both.as_str().to_owned(),
            min_duration: "1".to_owned(),
            from: String::new(),
            till: String::new(),
        }
    }
}

impl SendCallsDraft {
    /// Request body. Text that isn't a number stays a string, so that the engine can report it.
    pub fn body(&self, calls: &[CallId]) -> String {
        let mut body = Map::new();
        body.insert("call_ids".into(), json!(calls));
        body.insert("languages".into(), json!(self.languages));
        body.insert("recording_side".into(), json!(self.recording_side));
        if !self.min_duration.is_empty() {
            body.insert("min_duration".into(), number_value(&self.min_duration));
        }
        for (name, moment) in [("from", &self.from), ("till", &self.till)] {
            if !moment.is_empty() {
                body.insert(name.into(), json!(moment));
            }
        }
        Value::Object(body).to_string()
    }
}

/// JSON pointers whose diagnostics are shown at their inputs.
pub const FIELD_POINTERS: [&str; 5] = ["/languages", "/recording_side", "/min_duration", "/from", "/till"];

#[component]
pub fn SendCallsForm(
    draft: RwSignal<SendCallsDraft>,
    #[prop(into)] tokens: Signal<Vec<SpeechToken>>,
    #[prop(into)] languages: Signal<Vec<Choice>>,
    #[prop(into)] diagnostics: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let field_diagnostics = move |pointer: &'static str| {
        Signal::derive(move || diagnostics.with(|diagnostics| diagnostics_at(diagnostics, pointer)))
    };
    let selected = Memo::new(move |_| draft.with(|draft| draft.languages.clone()));
    let token_options = move || {
        let selected = draft.with(|draft| draft.token.clone());
        tokens
            .get()
            .into_iter()
            .map(|token| {
                let value = token.id.to_string();
                let selected = value == selected;
                view! {
                    <option value=value selected=selected>
                        {token.name}
                    </option>
                }
            })
            .collect_view()
    };
    let side_segment = |side: &RecordingSide| {
        let name = side.as_str();
        segment(name.to_owned(), side_name(*side), format!("side-{name}"))
    };
    let sides: Vec<_> = RecordingSide::ALL.iter().map(side_segment).collect();
    let side = Signal::derive(move || draft.with(|draft| draft.recording_side.clone()));
    let set_side = Callback::new(move |side| draft.update(|draft| draft.recording_side = side));
    let moment =
        move |id: &'static str, label: &'static str, diagnostics, accessor: fn(&mut SendCallsDraft) -> &mut String| {
            let value = Signal::derive(move || accessor(&mut draft.get()).clone());
            let set = Callback::new(move |moment| draft.update(|draft| *accessor(draft) = moment));
            view! { <TimeField id label input_type=&SECOND value set diagnostics /> }
        };
    view! {
        <div class="form-grid">
            <Field id="send-token" label=texts::speech_token() hint=texts::token_access_hint()>
                <select
                    id="send-token"
                    class="select"
                    data-test="send-token"
                    on:change:target=move |event| draft.update(|draft| draft.token = event.target().value())
                >
                    <option value="" hidden selected=move || draft.with(|draft| draft.token.is_empty())>
                        {texts::choose_token()}
                    </option>
                    {token_options}
                </select>
            </Field>
            <Field
                id="send-languages"
                label=texts::languages_spoken()
                hint=texts::languages_hint(MAX_LANGUAGES)
                diagnostics=field_diagnostics("/languages")
            >
                <ChipPicker
                    id="send-languages"
                    test_id="send-language"
                    choices=languages
                    selected
                    set=Callback::new(move |selected| draft.update(|draft| draft.languages = selected))
                    max_values=MAX_LANGUAGES
                />
            </Field>
            <div class="field">
                <span class="label">{texts::recording_side()}</span>
                <SegmentedControl
                    label=texts::recording_side()
                    segments=sides
                    selected=side
                    on_choose=set_side
                    test_id="send-side"
                />
                <p class="field-hint">{texts::needs_two_channels()}</p>
                <FieldDiagnostics diagnostics=field_diagnostics("/recording_side") />
            </div>
            <Field id="send-duration" label=texts::min_duration() diagnostics=field_diagnostics("/min_duration")>
                <input
                    id="send-duration"
                    class="input"
                    inputmode="numeric"
                    aria-describedby="send-duration-note"
                    data-test="send-min-duration"
                    prop:value=move || draft.with(|draft| draft.min_duration.clone())
                    on:input:target=move |event| {
                        draft.update(|draft| draft.min_duration = event.target().value().trim().to_owned());
                    }
                />
            </Field>
            {moment("send-from", texts::created_from(), field_diagnostics("/from"), |draft| &mut draft.from)}
            {moment("send-till", texts::created_until(), field_diagnostics("/till"), |draft| &mut draft.till)}
        </div>
    }
}

/// Label of a recording side.
fn side_name(side: RecordingSide) -> &'static str {
    match side {
        RecordingSide::Caller => call::caller(),
        RecordingSide::Callee => call::callee(),
        RecordingSide::Both => texts::both(),
    }
}

#[cfg(test)]
mod tests {
    use crate::features::calls::send_calls_form::*;

    #[test]
    fn body_contains_typed_values() {
        let draft = SendCallsDraft { languages: vec!["en".into()], min_duration: "x".into(), ..Default::default() };
        assert_eq!(
            draft.body(&[CallId(3)]),
            r#"{"call_ids":[3],"languages":["en"],"min_duration":"x","recording_side":"both"}"#
        );
    }
}
