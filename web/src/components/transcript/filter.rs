//! Search over transcripts: words, checked by the engine at each keystroke, and further filters.

use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leadscribe_engine::words::Search;
use leptos::prelude::*;

use crate::api::{ListQuery, TranscriptQuery};
use crate::components::icon::{Glyph, Icon};
use crate::components::input::chip_picker::Choice;
use crate::components::input::field::FieldFaults;
use crate::components::input::filter_inputs::{MomentInput, MoreFilters, NumberInput, Pick};
use crate::faults::faults_at;
use crate::texts::{calls, shell, transcripts as texts};

/// Parameters whose faults are shown at their inputs.
pub const SHOWN: [&str; 6] = ["words", "from", "till", "lead_id", "min_duration", "max_duration"];

/// Accessor for a member of the query.
type Member = fn(&mut TranscriptQuery) -> &mut String;

/// Values to filter by.
#[derive(Clone, Copy)]
pub struct Choices {
    pub languages: Signal<Vec<Choice>>,
    pub campaigns: Signal<Vec<Choice>>,
    pub tokens: Signal<Vec<Choice>>,
}

/// The search. Filters apply immediately and return to the first page. Words apply when submitted, or together with a filter.
#[component]
pub fn TranscriptFilter(
    wanted: Memo<TranscriptQuery>,
    choices: Choices,
    /// Faults that the server found in the query.
    faults: Signal<Vec<Diagnostic>>,
    on_change: Callback<TranscriptQuery>,
) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    // Words that aren't submitted are kept when another part of the query changes.
    let words = Memo::new(move |_| wanted.with(|wanted| wanted.words.clone()));
    Effect::new(move |_| typed.set(words.get()));
    let at = move |name: &'static str| Signal::derive(move || faults.with(|faults| faults_at(faults, name)));
    let of_server = at("words");
    let word_faults = Signal::derive(move || {
        let own = typed.with(|typed| faults_of(typed));
        if own.is_empty() && typed.get() == words.get() { of_server.get() } else { own }
    });
    let change = move |edit: &dyn Fn(&mut TranscriptQuery)| {
        let mut query = TranscriptQuery { limit: String::new(), ..wanted.get_untracked() };
        let typed = typed.get_untracked();
        if faults_of(&typed).is_empty() {
            typed.trim().clone_into(&mut query.words);
        }
        edit(&mut query);
        on_change.run(query);
    };
    let search = move || {
        if typed.with_untracked(|typed| faults_of(typed).is_empty()) {
            change(&|_| {});
        }
    };
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        search();
    };
    let input = move |member: Member| {
        let value = Signal::derive(move || member(&mut wanted.get()).clone());
        (value, Callback::new(move |value: String| change(&|query| member(query).clone_from(&value))))
    };
    let pick = move |label: &'static str, none: &'static str, choices: Signal<Vec<Choice>>, member: Member| {
        let (value, set) = input(member);
        view! { <Pick label none choices value set /> }
    };
    let moment = move |label: &'static str, test: &'static str, faults: Signal<Vec<Diagnostic>>, member: Member| {
        let (value, set) = input(member);
        view! { <MomentInput label test faults value set /> }
    };
    let number = move |label: &'static str, test: &'static str, faults: Signal<Vec<Diagnostic>>, member: Member| {
        let (value, set) = input(member);
        view! { <NumberInput label test min="0" faults value set /> }
    };
    let narrowed = Memo::new(move |_| wanted.with(|wanted| wanted.narrowed_beside("words")));
    view! {
        <form class="transcript-search card" role="search" aria-label=shell::transcripts() on:submit=submit>
            <div class="search-line">
                <div class="search search-large">
                    <Icon glyph=Glyph::Search />
                    <input
                        class="input"
                        type="search"
                        aria-label=texts::words_said()
                        aria-describedby="search-note"
                        aria-invalid=move || (!word_faults.with(Vec::is_empty)).to_string()
                        placeholder=texts::what_was_said()
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck="false"
                        data-test="words"
                        prop:value=typed
                        on:input:target=move |event| typed.set(event.target().value())
                        // The browser's clear button empties the input and searches immediately.
                        on:search=move |_: web_sys::Event| {
                            if typed.with_untracked(String::is_empty) && !words.with_untracked(String::is_empty) {
                                search();
                            }
                        }
                    />
                </div>
                <button
                    type="submit"
                    class="button button-primary"
                    data-test="search"
                    disabled=move || !word_faults.with(Vec::is_empty) && typed.get() != words.get()
                >
                    {texts::search()}
                </button>
            </div>
            <div id="search-note" class="search-note" aria-live="polite">
                {move || {
                    if word_faults.with(Vec::is_empty) {
                        view! {
                            <p class="field-hint">
                                {texts::all_are_said()} <code>{texts::phrase_sample()}</code> {texts::and_beginnings()}
                                <code>{texts::beginning_sample()}</code> "."
                            </p>
                        }
                            .into_any()
                    } else {
                        view! { <FieldFaults faults=word_faults /> }.into_any()
                    }
                }}
            </div>
            <MoreFilters id="search-filters" set=narrowed>
                {pick(texts::language(), texts::any_language(), choices.languages, |query| &mut query.language)}
                {pick(calls::campaign_column(), calls::any_campaign(), choices.campaigns, |query| &mut query.campaign_id)}
                {pick(texts::token(), texts::any_token(), choices.tokens, |query| &mut query.token_id)}
                {number(calls::lead_column(), "search-lead", at("lead_id"), |query| &mut query.lead_id)}
                {moment(texts::calls_from(), "search-from", at("from"), |query| &mut query.from)}
                {moment(texts::calls_till(), "search-till", at("till"), |query| &mut query.till)}
                {number(texts::shortest(), "search-min", at("min_duration"), |query| &mut query.min_duration)}
                {number(texts::longest(), "search-max", at("max_duration"), |query| &mut query.max_duration)}
            </MoreFilters>
        </form>
    }
    .into_any()
}

/// Faults that the engine finds in the words; none for an empty text.
fn faults_of(words: &str) -> Vec<Diagnostic> {
    if words.trim().is_empty() {
        return Vec::new();
    }
    Search::parse(words, Place::default()).err().into_iter().collect()
}
