//! The filter of the list of calls: each change shows at once, from the first page.

use leadscribe_engine::api::{CallStatus, Direction, RecordingState, TranscriptionState};
use leadscribe_engine::fault::Fault;
use leptos::prelude::*;

use super::badge::spelled;
use super::field::FieldFaults;
use super::filter_editor::Names;
use super::icon::{Glyph, Icon};
use crate::api::CallQuery;
use crate::faults::faults_at;
use crate::when;

/// The parameters whose faults stand at their inputs.
pub const SHOWN: [&str; 3] = ["search", "from", "till"];

/// Where a member of the query is written.
type Member = fn(&mut CallQuery) -> &mut String;

/// The filter.
#[component]
pub fn CallFilter(
    wanted: Memo<CallQuery>,
    #[prop(into)] names: Signal<Names>,
    /// Those the server found in the query.
    #[prop(into)]
    faults: Signal<Vec<Fault>>,
    on_change: Callback<CallQuery>,
) -> impl IntoView {
    let change = Callback::new(move |(member, value): (Member, String)| {
        let mut query = CallQuery { limit: String::new(), ..wanted.get_untracked() };
        *member(&mut query) = value;
        on_change.run(query);
    });
    let at = move |name: &'static str| Signal::derive(move || faults.with(|faults| faults_at(faults, name)));
    let named = |names: Vec<&'static str>| names.into_iter().map(|name| (name.to_owned(), spelled(name))).collect();
    let transcription = named(std::iter::once("never").chain(TranscriptionState::names()).collect());
    let campaigns = Signal::derive(move || {
        let campaigns = names.with(|names| names.campaigns.clone());
        campaigns.into_iter().map(|campaign| (campaign.id.to_string(), campaign.name)).collect()
    });
    let fixed = |choices: Vec<(String, String)>| Signal::stored(choices);
    view! {
        <form class="call-filter" role="search" aria-label="Calls" on:submit=|event| event.prevent_default()>
            <div class="filter-search">
                <div class="search">
                    <Icon glyph=Glyph::Search />
                    <input
                        class="input"
                        type="search"
                        aria-label="Search numbers and agents"
                        placeholder="Number or agent"
                        data-test="call-search"
                        prop:value=move || wanted.get().search
                        on:change:target=move |event| change.run((|query| &mut query.search, event.target().value()))
                    />
                </div>
                <FieldFaults faults=at("search") />
            </div>
            <Pick wanted label="Campaign" none="Campaign: any" choices=campaigns member=|query| &mut query.campaign_id change />
            <Pick
                wanted
                label="Direction"
                none="Direction: any"
                choices=fixed(named(Direction::names().collect()))
                member=|query| &mut query.direction
                change
            />
            <Pick
                wanted
                label="Outcome"
                none="Outcome: any"
                choices=fixed(named(CallStatus::names().collect()))
                member=|query| &mut query.status
                change
            />
            <Pick
                wanted
                label="Recording"
                none="Recording: any"
                choices=fixed(named(RecordingState::names().collect()))
                member=|query| &mut query.recording
                change
            />
            <Pick
                wanted
                label="Transcription"
                none="Transcription: any"
                choices=fixed(transcription)
                member=|query| &mut query.transcription
                change
            />
            <Pick
                wanted
                label="Order"
                none="Newest first"
                choices=fixed(vec![("oldest".to_owned(), "Oldest first".to_owned())])
                member=|query| &mut query.order
                change
            />
            <MomentInput wanted label="From" test="call-from" faults=at("from") member=|query| &mut query.from change />
            <MomentInput wanted label="Till" test="call-till" faults=at("till") member=|query| &mut query.till change />
        </form>
    }
}

/// One value out of a list, or any.
#[component]
fn Pick(
    wanted: Memo<CallQuery>,
    label: &'static str,
    /// How it reads when any value is taken.
    none: &'static str,
    /// Value and label of each.
    choices: Signal<Vec<(String, String)>>,
    member: Member,
    change: Callback<(Member, String)>,
) -> impl IntoView {
    let value = Memo::new(move |_| member(&mut wanted.get()).clone());
    let options = move || {
        let options = choices.get().into_iter().map(|(name, text)| {
            let is_selected = {
                let name = name.clone();
                move || value.with(|value| *value == name)
            };
            view! {
                <option value=name selected=is_selected>
                    {text}
                </option>
            }
        });
        options.collect_view()
    };
    view! {
        <select
            class="select"
            aria-label=label
            class:is-set=move || !value.with(String::is_empty)
            on:change:target=move |event| change.run((member, event.target().value()))
        >
            <option value="" selected=move || value.with(String::is_empty)>
                {none}
            </option>
            {options}
        </select>
    }
}

/// A moment in UTC, by the browser's own picker.
#[component]
fn MomentInput(
    wanted: Memo<CallQuery>,
    label: &'static str,
    test: &'static str,
    faults: Signal<Vec<Fault>>,
    member: Member,
    change: Callback<(Member, String)>,
) -> impl IntoView {
    view! {
        <label class="filter-moment">
            <span class="small secondary">{label} ", UTC"</span>
            // Whoever types a year passes the years 2, 20 and 202: too early to be looked for.
            <input
                class="input"
                type="datetime-local"
                min="1970-01-01T00:00"
                max="9999-12-31T23:59"
                step="any"
                data-test=test
                prop:value=move || when::to_input(member(&mut wanted.get()))
                on:change:target=move |event| {
                    let input = event.target();
                    if input.check_validity() {
                        change.run((member, when::from_input(&input.value())));
                    }
                }
            />
            <FieldFaults faults />
        </label>
    }
}
