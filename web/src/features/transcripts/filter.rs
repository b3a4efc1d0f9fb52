//! Search over transcripts: words, checked by the engine on every keystroke, and further filters.

use leadscribe_engine::diagnostic::{Diagnostic, Location};
use leadscribe_engine::transcript_search::Search;
use leptos::prelude::*;

use crate::api::{ListQuery, TranscriptQuery};
use crate::i18n::diagnostics_signal;
use crate::i18n::texts::{calls, common, shell, transcripts as texts};
use crate::ui::input::{Choice, DateTimeInput, FieldDiagnostics, MoreFilters, NumberInput, Select};
use crate::ui::{Glyph, Icon};

/// Parameters whose diagnostics are shown at their inputs.
pub const FIELD_PARAMETERS: [&str; 6] = ["search", "from", "till", "lead_id", "min_duration", "max_duration"];

/// Accessor for a member of the query.
type FieldAccessor = fn(&mut TranscriptQuery) -> &mut String;

/// Values to filter by.
#[derive(Clone, Copy)]
pub struct Choices {
    pub languages: Signal<Vec<Choice>>,
    pub campaigns: Signal<Vec<Choice>>,
    pub tokens: Signal<Vec<Choice>>,
}

/// The search. Filters apply immediately and return to the first page. Words apply when submitted, or together with a
/// filter.
#[component]
pub fn TranscriptFilter(
    query: Memo<TranscriptQuery>,
    choices: Choices,
    /// Diagnostics that the server found in the query.
    diagnostics: Signal<Vec<Diagnostic>>,
    on_change: Callback<TranscriptQuery>,
) -> impl IntoView {
    let input_text = RwSignal::new(String::new());
    // Words that aren't submitted are kept when another part of the query changes.
    let applied_words = Memo::new(move |_| query.with(|query| query.search.clone()));
    Effect::new(move |_| input_text.set(applied_words.get()));
    let server_diagnostics = diagnostics_signal(diagnostics, "search");
    let words_diagnostics = Signal::derive(move || {
        let engine_diagnostics = input_text.with(|input_text| word_diagnostics(input_text));
        if engine_diagnostics.is_empty() && input_text.get() == applied_words.get() {
            server_diagnostics.get()
        } else {
            engine_diagnostics
        }
    });
    let change = move |edit: &dyn Fn(&mut TranscriptQuery)| {
        let mut query = TranscriptQuery { limit: String::new(), ..query.get_untracked() };
        let input_text = input_text.get_untracked();
        if word_diagnostics(&input_text).is_empty() {
            input_text.trim().clone_into(&mut query.search);
        }
        edit(&mut query);
        on_change.run(query);
    };
    let search = move || {
        if input_text.with_untracked(|input_text| word_diagnostics(input_text).is_empty()) {
            change(&|_| {});
        }
    };
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        search();
    };
    let input = move |accessor: FieldAccessor| {
        let value = Signal::derive(move || accessor(&mut query.get()).clone());
        (value, Callback::new(move |value: String| change(&|query| accessor(query).clone_from(&value))))
    };
    let select_input = move |label, empty_label, choices, accessor| {
        let (value, set) = input(accessor);
        view! { <Select label empty_label choices value set /> }
    };
    let datetime_input = move |label, name, test_id, accessor| {
        let (value, set) = input(accessor);
        view! { <DateTimeInput label test_id diagnostics=diagnostics_signal(diagnostics, name) value set /> }
    };
    let number_input = move |label, name, test_id, accessor| {
        let (value, set) = input(accessor);
        view! { <NumberInput label test_id min="0" diagnostics=diagnostics_signal(diagnostics, name) value set /> }
    };
    let active_filter_count = Memo::new(move |_| query.with(|query| query.count_conditions_except("search")));
    view! {
        <form class="transcript-search card" role="search" aria-label=common::transcripts() on:submit=submit>
            <div class="search-line">
                <div class="search search-large">
                    <Icon glyph=Glyph::Search />
                    <input
                        class="input"
                        type="search"
                        aria-label=common::search_transcripts()
                        aria-describedby="search-note"
                        aria-invalid=move || (!words_diagnostics.with(Vec::is_empty)).to_string()
                        placeholder=texts::placeholder()
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck="false"
                        data-test="words"
                        prop:value=input_text
                        on:input:target=move |event| input_text.set(event.target().value())
                        // The browser's clear button empties the input and searches immediately.
                        on:search=move |_: web_sys::Event| {
                            if input_text.with_untracked(String::is_empty) && !applied_words.with_untracked(String::is_empty) {
                                search();
                            }
                        }
                    />
                </div>
                <button
                    type="submit"
                    class="button button-primary"
                    data-test="search"
                    disabled=move || !words_diagnostics.with(Vec::is_empty) && input_text.get() != applied_words.get()
                >
                    {common::search()}
                </button>
            </div>
            <div id="search-note" class="search-note" aria-live="polite">
                {move || {
                    if words_diagnostics.with(Vec::is_empty) {
                        view! {
                            <p class="field-hint">
                                {texts::search_hint_all_words()} <code>{texts::search_hint_phrase()}</code> {texts::search_hint_prefixes()}
                                <code>{texts::search_hint_prefix()}</code> "."
                            </p>
                        }
                            .into_any()
                    } else {
                        view! { <FieldDiagnostics diagnostics=words_diagnostics /> }.into_any()
                    }
                }}
            </div>
            <MoreFilters id="search-filters" active_count=active_filter_count>
                {select_input(shell::language(), texts::any_language(), choices.languages, |query| &mut query.language)}
                {select_input(common::campaign(), calls::any_campaign(), choices.campaigns, |query| &mut query.campaign_id)}
                {select_input(common::token(), common::any_token(), choices.tokens, |query| &mut query.token_id)}
                {number_input(common::lead(), "lead_id", "search-lead", |query| &mut query.lead_id)}
                {datetime_input(texts::calls_from(), "from", "search-from", |query| &mut query.from)}
                {datetime_input(texts::calls_until(), "till", "search-till", |query| &mut query.till)}
                {number_input(texts::min_duration(), "min_duration", "search-min", |query| &mut query.min_duration)}
                {number_input(texts::max_duration(), "max_duration", "search-max", |query| &mut query.max_duration)}
            </MoreFilters>
        </form>
    }
}

/// Diagnostics that the engine finds in the words; none for an empty text.
fn word_diagnostics(words: &str) -> Vec<Diagnostic> {
    if words.trim().is_empty() {
        return Vec::new();
    }
    Search::parse(words, Location::default()).err().into_iter().collect()
}
