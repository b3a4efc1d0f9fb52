//! Form that sends calls to speech recognition. It produces JSON, which the engine checks after each change.

use leadscribe_engine::api::{CallId, RecordingSide, UserId};
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::submission::MAX_LANGUAGES;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::browser::storage;
use crate::i18n::diagnostics_signal;
use crate::i18n::texts::{call, calls as texts};
use crate::state::form_state::number_value;
use crate::ui::input::time_field::SECOND;
use crate::ui::input::{ChipPicker, Choice, Field, FieldDiagnostics, SelectField, TextField, TimeField, draft_field};
use crate::ui::{SegmentedControl, UsableTokens, segment};

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

/// Returns the settings of the user's last submission from this browser, as defaults for the next one.
pub fn load_last_settings(user: UserId) -> Option<SendCallsDraft> {
    storage::load(&storage_key(user))
}

/// Stores the settings as defaults for the next submission, without the creation dates of the calls.
pub fn store_last_settings(user: UserId, draft: &SendCallsDraft) {
    let draft = SendCallsDraft { from: String::new(), till: String::new(), ..draft.clone() };
    storage::store(&storage_key(user), &draft);
}

fn storage_key(user: UserId) -> String {
    format!("leadscribe.send-defaults.{user}")
}

/// JSON pointers whose diagnostics are shown at their inputs.
pub const FIELD_POINTERS: [&str; 5] = ["/languages", "/recording_side", "/min_duration", "/from", "/till"];

#[component]
pub fn SendCallsForm(
    draft: RwSignal<SendCallsDraft>,
    tokens: UsableTokens,
    languages: Signal<Vec<Choice>>,
    diagnostics: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let moment = move |id: &'static str, label: &'static str, pointer, accessor| {
        let ((value, set), diagnostics) = (draft_field(draft, accessor), diagnostics_signal(diagnostics, pointer));
        view! { <TimeField id label input_type=&SECOND value set diagnostics /> }
    };
    let (token, set_token) = draft_field(draft, |draft| &mut draft.token);
    let selected = Memo::new(move |_| draft.with(|draft| draft.languages.clone()));
    let side_segment = |side: &RecordingSide| {
        let name = side.as_str();
        segment(name.to_owned(), side_name(*side), format!("side-{name}"))
    };
    let sides: Vec<_> = RecordingSide::ALL.iter().map(side_segment).collect();
    let (side, set_side) = draft_field(draft, |draft| &mut draft.recording_side);
    let (duration, set_duration) = draft_field(draft, |draft| &mut draft.min_duration);
    let set_duration = move |text: String| set_duration.run(text.trim().to_owned());
    view! {
        <div class="form-grid">
            <SelectField
                id="send-token"
                label=texts::speech_token()
                hint=texts::token_access_hint()
                empty_label=texts::choose_token()
                is_required=true
                choices=tokens.choices
                value=token
                set=set_token
            />
            <Field
                id="send-languages"
                label=texts::languages_spoken()
                hint=texts::languages_hint(MAX_LANGUAGES)
                diagnostics=diagnostics_signal(diagnostics, "/languages")
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
                <FieldDiagnostics diagnostics=diagnostics_signal(diagnostics, "/recording_side") />
            </div>
            <TextField
                id="send-min-duration"
                label=texts::min_duration()
                inputmode="numeric"
                value=duration
                set=set_duration
                diagnostics=diagnostics_signal(diagnostics, "/min_duration")
            />
            {moment("send-from", texts::created_from(), "/from", |draft| &mut draft.from)}
            {moment("send-till", texts::created_until(), "/till", |draft| &mut draft.till)}
        </div>
    }
}

fn side_name(side: RecordingSide) -> &'static str {
    match side {
        RecordingSide::Caller => call::caller(),
        RecordingSide::Callee => call::callee(),
        RecordingSide::Both => texts::both(),
    }
}
