//! Filter of the list of calls. Each change applies immediately and returns to the first page.

use leadscribe_engine::api::{CallStatus, Direction, RecordingState, TranscriptionState};
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::api::{CallQuery, ListQuery};
use crate::components::badge::{call_status_name, direction_name, recording_state_name, transcription_state_name};
use crate::components::filter_editor::Names;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::chip_picker::Choice;
use crate::components::input::field::FieldFaults;
use crate::components::input::filter_inputs::{Member, MomentInput, MoreFilters, Pick, input_of, named};
use crate::components::input::search_input::SearchInput;
use crate::faults::faults_at;
use crate::texts::{badges, calls as texts, shell};

/// Parameters whose faults are shown at their inputs.
pub const SHOWN: [&str; 5] = ["search", "from", "till", "transcription_from", "transcription_till"];

/// The filter.
#[component]
pub fn CallFilter(
    wanted: Memo<CallQuery>,
    #[prop(into)] names: Signal<Names>,
    /// Faults that the server found in the query.
    #[prop(into)]
    faults: Signal<Vec<Diagnostic>>,
    on_change: Callback<CallQuery>,
) -> impl IntoView {
    let at = move |name: &'static str| Signal::derive(move || faults.with(|faults| faults_at(faults, name)));
    let input = move |member: Member<CallQuery>| input_of(wanted, on_change, member);
    let (search, set_search) = input(|query| &mut query.search);
    let pick = move |label: &'static str, none: &'static str, choices: Signal<Vec<Choice>>, member| {
        let (value, set) = input(member);
        view! { <Pick label none choices value set /> }
    };
    let moment = move |label: &'static str, test: &'static str, name: &'static str, member| {
        let (value, set) = input(member);
        view! { <MomentInput label test faults=at(name) value set /> }
    };
    let campaigns = Signal::derive(move || {
        let campaigns = names.with(|names| names.campaigns.clone());
        campaigns.into_iter().map(|campaign| (campaign.id.to_string(), campaign.name)).collect()
    });
    let directions = Signal::stored(named(Direction::ALL, Direction::as_str, direction_name));
    let outcomes = Signal::stored(named(CallStatus::ALL, CallStatus::as_str, call_status_name));
    let recordings = Signal::stored(named(RecordingState::ALL, RecordingState::as_str, recording_state_name));
    let mut transcriptions = vec![("never".to_owned(), badges::not_sent().to_owned())];
    transcriptions.extend(named(TranscriptionState::ALL, TranscriptionState::as_str, transcription_state_name));
    let transcriptions = Signal::stored(transcriptions);
    let narrowed = Memo::new(move |_| wanted.with(|wanted| wanted.narrowed_beside("search")));
    view! {
        <form class="filter-line" role="search" aria-label=shell::calls() on:submit=|event| event.prevent_default()>
            <div>
                <div class="search">
                    <Icon glyph=Glyph::Search />
                    <SearchInput
                        label=texts::search()
                        placeholder=texts::number_or_name()
                        test="call-search"
                        value=search
                        set=set_search
                    />
                </div>
                <FieldFaults faults=at("search") />
            </div>
            <MoreFilters id="call-filters" set=narrowed>
                {pick(texts::campaign_column(), texts::any_campaign(), campaigns, |query| &mut query.campaign_id)}
                {pick(texts::direction(), texts::any_direction(), directions, |query| &mut query.direction)}
                {pick(texts::outcome(), texts::any_outcome(), outcomes, |query| &mut query.status)}
                {pick(texts::recording(), texts::any_recording(), recordings, |query| &mut query.recording)}
                {pick(texts::transcription(), texts::any_transcription(), transcriptions, |query| &mut query.transcription)}
                {moment(texts::from(), "call-from", "from", |query| &mut query.from)}
                {moment(texts::till(), "call-till", "till", |query| &mut query.till)}
                {moment(texts::transcription_from(), "call-transcription-from", "transcription_from", |query| {
                    &mut query.transcription_from
                })}
                {moment(texts::transcription_till(), "call-transcription-till", "transcription_till", |query| {
                    &mut query.transcription_till
                })}
            </MoreFilters>
        </form>
    }
}
