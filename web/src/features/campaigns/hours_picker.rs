//! Picker for calling hours: days, start and end, or any time.

use leadscribe_engine::api::Weekday;
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::features::campaigns::draft::CampaignDraft;
use crate::i18n::texts::{campaigns as texts, common};
use crate::i18n::{diagnostics_signal, language};
use crate::ui::input::{FieldDiagnostics, TextField, draft_field};
use crate::ui::{SegmentedControl, segment};

/// Edits the calling hours of a draft.
#[component]
pub fn HoursPicker(
    draft: RwSignal<CampaignDraft>,
    /// Diagnostics of the whole draft.
    diagnostics: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let time_input = move |id, label, pointer, accessor| {
        let ((value, set), diagnostics) = (draft_field(draft, accessor), diagnostics_signal(diagnostics, pointer));
        view! { <TextField id label input_type="time" value set diagnostics /> }
    };
    let is_any_time = Memo::new(move |_| draft.with(|draft| draft.at_any_time));
    let choices =
        vec![segment(false, texts::at_these_hours(), "hours-set"), segment(true, texts::at_any_time(), "hours-any")];
    let on_choose = move |value: bool| draft.update(|draft| draft.at_any_time = value);
    view! {
        <SegmentedControl label=texts::calling_times() segments=choices selected=is_any_time on_choose />
        <p class="field-hint" hidden=move || !is_any_time.get()>
            {texts::at_any_time_hint()}
        </p>
        <div class="hours" hidden=is_any_time>
            <DaysInput draft />
            <FieldDiagnostics diagnostics=diagnostics_signal(diagnostics, "/calling_hours/days") />
            <div class="hours-times">
                {time_input("campaign-start", common::from(), "/calling_hours/start", |draft| &mut draft.start)}
                {time_input("campaign-end", common::until(), "/calling_hours/end", |draft| &mut draft.end)}
            </div>
            <CallingHoursBar draft />
            <p class="field-hint">
                {texts::local_time_hint()}
            </p>
        </div>
    }
}

#[component]
fn DaysInput(draft: RwSignal<CampaignDraft>) -> impl IntoView {
    let is_selected = move |day: Weekday| draft.with(|draft| draft.days.contains(&day));
    let days = Weekday::ALL.iter().map(|day| {
        let day = *day;
        view! {
            <button
                type="button"
                class="day"
                title=day.name(language())
                data-test=format!("day-{day}")
                aria-pressed=move || is_selected(day).to_string()
                on:click=move |_| {
                    draft
                        .update(|draft| {
                            if let Some(index) = draft.days.iter().position(|other| *other == day) {
                                draft.days.remove(index);
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
}

/// The day as a bar with the calling hours marked.
#[component]
fn CallingHoursBar(draft: RwSignal<CampaignDraft>) -> impl IntoView {
    // Calling hours as start and length, in percent of the day.
    let intervals = Memo::new(move |_| {
        draft.with(|draft| match (day_percent(&draft.start), day_percent(&draft.end)) {
            (Some(start), Some(end)) if draft.is_overnight() => vec![(start, 100.0 - start), (0.0, end)],
            (Some(start), Some(end)) => vec![(start, end - start)],
            _ => Vec::new(),
        })
    });
    let open_intervals = move || {
        let intervals = intervals.get().into_iter();
        intervals
            .map(|(start, width_percent)| {
                view! { <span class="day-open" style:left=format!("{start:.2}%") style:width=format!("{width_percent:.2}%")></span> }
            })
            .collect_view()
    };
    let overnight_note = move || {
        draft.with(|draft| match (draft.is_overnight(), draft.end.as_str()) {
            (false, _) => String::new(),
            (true, "00:00") => texts::until_midnight().to_owned(),
            (true, end) => texts::ends_next_day(end),
        })
    };
    let hours = ["0:00", "6:00", "12:00", "18:00", "24:00"].map(|hour| view! { <span>{hour}</span> });
    view! {
        <div aria-hidden="true">
            <div class="day-bar">{open_intervals}</div>
            <div class="day-hours">{hours.collect_view()}</div>
        </div>
        <p class="small secondary" data-test="overnight" aria-live="polite">
            {overnight_note}
        </p>
    }
}

/// Position of `hh:mm` in the day, in percent.
fn day_percent(time: &str) -> Option<f64> {
    let (hours, minutes) = time.split_once(':')?;
    let minutes = hours.parse::<u32>().ok()? * 60 + minutes.parse::<u32>().ok()?;
    Some(f64::from(minutes) / 14.4)
}
