//! Filter of the list of calls. Each change applies immediately and returns to the first page.

use leadscribe_engine::api::{CallStatus, Direction, RecordingState, TranscriptionState};
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::api::{CallQuery, ListQuery};
use crate::i18n::diagnostics_signal;
use crate::i18n::texts::{badges, calls as texts, common, shell};
use crate::ui::filter_editor::Names;
use crate::ui::input::{
    Choice, DateTimeInput, FieldAccessor, FieldDiagnostics, MoreFilters, SearchInput, Select, enum_choices, query_field,
};
use crate::ui::{BadgeState, Glyph, Icon, direction_name};

/// Parameters whose diagnostics are shown at their inputs.
pub const FIELD_PARAMETERS: [&str; 5] = ["search", "from", "till", "transcription_from", "transcription_till"];

#[component]
pub fn CallFilter(
    query: Memo<CallQuery>,
    #[prop(into)] names: Signal<Names>,
    /// Diagnostics that the server found in the query.
    #[prop(into)]
    diagnostics: Signal<Vec<Diagnostic>>,
    on_change: Callback<CallQuery>,
) -> impl IntoView {
    let input = move |accessor: FieldAccessor<CallQuery>| query_field(query, on_change, accessor);
    let (search, set_search) = input(|query| &mut query.search);
    let select_input = move |label: &'static str, empty_label: &'static str, choices: Signal<Vec<Choice>>, accessor| {
        let (value, set) = input(accessor);
        view! { <Select label empty_label choices value set /> }
    };
    let datetime_input = move |label: &'static str, test_id: &'static str, name: &'static str, accessor| {
        let (value, set) = input(accessor);
        view! { <DateTimeInput label test_id diagnostics=diagnostics_signal(diagnostics, name) value set /> }
    };
    let campaigns = Signal::derive(move || names.with(Names::campaign_choices));
    let directions = Signal::stored(enum_choices(Direction::ALL, Direction::as_str, direction_name));
    let statuses = Signal::stored(enum_choices(CallStatus::ALL, CallStatus::as_str, BadgeState::state_label));
    let recordings = Signal::stored(enum_choices(RecordingState::ALL, RecordingState::as_str, BadgeState::state_label));
    let mut transcriptions = vec![("never".to_owned(), badges::not_sent().to_owned())];
    transcriptions.extend(enum_choices(TranscriptionState::ALL, TranscriptionState::as_str, BadgeState::state_label));
    let transcriptions = Signal::stored(transcriptions);
    let active_filter_count = Memo::new(move |_| query.with(|query| query.count_conditions_except("search")));
    view! {
        <form class="filter-line" role="search" aria-label=shell::calls() on:submit=|event| event.prevent_default()>
            <div>
                <div class="search">
                    <Icon glyph=Glyph::Search />
                    <SearchInput
                        label=texts::search()
                        placeholder=texts::number_or_name()
                        test_id="call-search"
                        value=search
                        set=set_search
                    />
                </div>
                <FieldDiagnostics diagnostics=diagnostics_signal(diagnostics, "search") />
            </div>
            <MoreFilters id="call-filters" active_count=active_filter_count>
                {select_input(common::campaign(), texts::any_campaign(), campaigns, |query| &mut query.campaign_id)}
                {select_input(texts::direction(), texts::any_direction(), directions, |query| &mut query.direction)}
                {select_input(texts::outcome(), texts::any_outcome(), statuses, |query| &mut query.status)}
                {select_input(texts::recording(), texts::any_recording(), recordings, |query| &mut query.recording)}
                {select_input(common::transcription(), texts::any_transcription(), transcriptions, |query| &mut query.transcription)}
                {datetime_input(common::from(), "call-from", "from", |query| &mut query.from)}
                {datetime_input(common::until(), "call-till", "till", |query| &mut query.till)}
                {datetime_input(texts::transcribed_from(), "call-transcription-from", "transcription_from", |query| {
                    &mut query.transcription_from
                })}
                {datetime_input(texts::transcribed_until(), "call-transcription-till", "transcription_till", |query| {
                    &mut query.transcription_till
                })}
            </MoreFilters>
        </form>
    }
}
