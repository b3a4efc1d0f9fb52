//! Picker for calling hours: days, start and end, or any time.

use leadscribe_engine::api::Weekday;
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use super::field::{Field, FieldFaults};
use crate::components::campaign::draft::CampaignDraft;
use crate::components::segments::{Segments, segment};
use crate::faults::faults_at;
use crate::language::language;
use crate::texts::campaigns as texts;

/// Edits the calling hours of a draft.
#[component]
pub fn HoursPicker(
    draft: RwSignal<CampaignDraft>,
    /// Faults of the whole draft.
    faults: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let at = move |place: &'static str| Signal::derive(move || faults.with(|faults| faults_at(faults, place)));
    let any_time = Memo::new(move |_| draft.with(|draft| draft.at_any_time));
    let choices =
        vec![segment(false, texts::at_these_hours(), "hours-set"), segment(true, texts::at_any_time(), "hours-any")];
    let on_choose = move |value: bool| draft.update(|draft| draft.at_any_time = value);
    view! {
        <Segments label=texts::when_called() segments=choices chosen=any_time on_choose />
        <p class="field-hint" hidden=move || !any_time.get()>
            {texts::at_any_time_hint()}
        </p>
        <div class="hours" hidden=any_time>
            <Days draft />
            <FieldFaults faults=at("/calling_hours/days") />
            <div class="hours-times">
                {clock("campaign-start", texts::from(), draft, at("/calling_hours/start"), |draft| &mut draft.start)}
                {clock("campaign-end", texts::to(), draft, at("/calling_hours/end"), |draft| &mut draft.end)}
            </div>
            <DayBar draft />
            <p class="field-hint">
                {texts::by_own_clock()}
            </p>
        </div>
    }
    .into_any()
}

#[component]
fn Days(draft: RwSignal<CampaignDraft>) -> impl IntoView {
    let has = move |day: Weekday| draft.with(|draft| draft.days.contains(&day));
    let days = Weekday::ALL.iter().map(|day| {
        let day = *day;
        view! {
            <button
                type="button"
                class="day"
                title=day.name(language())
                data-test=format!("day-{day}")
                aria-pressed=move || has(day).to_string()
                on:click=move |_| {
                    draft
                        .update(|draft| {
                            if let Some(place) = draft.days.iter().position(|one| *one == day) {
                                draft.days.remove(place);
                            } else {
                                draft.days.push(day);
                                draft.days.sort_unstable();
                            }
                        });
                }
            >
                {day.short_name(language())}
            </button>
        }
    });
    view! {
        <div class="days" role="group" aria-label=texts::calling_days()>
            {days.collect_view()}
        </div>
    }
    .into_any()
}

fn clock(
    id: &'static str,
    label: &'static str,
    draft: RwSignal<CampaignDraft>,
    faults: Signal<Vec<Diagnostic>>,
    member: fn(&mut CampaignDraft) -> &mut String,
) -> AnyView {
    view! {
        <Field id label faults=faults>
            <input
                id=id
                class="input"
                type="time"
                aria-describedby=format!("{id}-note")
                aria-invalid=move || faults.with(|faults| !faults.is_empty()).to_string()
                data-test=id
                prop:value=move || draft.with(|draft| member(&mut draft.clone()).clone())
                on:input:target=move |event| {
                    let value = event.target().value();
                    draft.update(|draft| *member(draft) = value);
                }
            />
        </Field>
    }
    .into_any()
}

/// The day as a bar with the calling hours marked.
#[component]
fn DayBar(draft: RwSignal<CampaignDraft>) -> impl IntoView {
    // Calling hours as start and length, in percent of the day.
    let stretches = Memo::new(move |_| {
        draft.with(|draft| match (percent(&draft.start), percent(&draft.end)) {
            (Some(start), Some(end)) if draft.is_overnight() => vec![(start, 100.0 - start), (0.0, end)],
            (Some(start), Some(end)) => vec![(start, end - start)],
            _ => Vec::new(),
        })
    });
    let open = move || {
        let stretches = stretches.get().into_iter();
        stretches
            .map(|(start, length)| {
                view! { <span class="day-open" style:left=format!("{start:.2}%") style:width=format!("{length:.2}%")></span> }
            })
            .collect_view()
    };
    let overnight = move || {
        draft.with(|draft| match (draft.is_overnight(), draft.end.as_str()) {
            (false, _) => String::new(),
            (true, "00:00") => texts::until_midnight().to_owned(),
            (true, end) => texts::past_midnight(end),
        })
    };
    let hours = ["0:00", "6:00", "12:00", "18:00", "24:00"].map(|hour| view! { <span>{hour}</span> });
    view! {
        <div aria-hidden="true">
            <div class="day-bar">{open}</div>
            <div class="day-hours">{hours.collect_view()}</div>
        </div>
        <p class="small secondary" data-test="overnight" aria-live="polite">
            {overnight}
        </p>
    }
    .into_any()
}

/// Position of `hh:mm` in the day, in percent.
fn percent(clock: &str) -> Option<f64> {
    let (hours, minutes) = clock.split_once(':')?;
    let minutes = hours.parse::<u32>().ok()? * 60 + minutes.parse::<u32>().ok()?;
    Some(f64::from(minutes) / 14.4)
}
