//! Form of a campaign: its name, its calling hours and its call limits.

use leadscribe_engine::api::Weekday;
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use super::draft::CampaignDraft;
use crate::i18n::texts::{campaigns as texts, common};
use crate::i18n::{diagnostics_signal, language};
use crate::ui::input::{FieldDiagnostics, TextField, draft_field};
use crate::ui::{Card, SegmentedControl, segment};

/// JSON pointers whose diagnostics are shown at their inputs.
pub const FIELD_POINTERS: [&str; 6] =
    ["/name", "/active", "/calling_hours", "/max_attempts", "/daily_attempts", "/freeze_minutes"];

/// Id of the form, for submit buttons outside of it.
pub const FORM_ID: &str = "campaign-form";

/// Form of a campaign. It is submitted with the Enter key or with a button that refers to its id.
#[component]
pub fn CampaignForm(
    draft: RwSignal<CampaignDraft>,
    #[prop(into)] diagnostics: Signal<Vec<Diagnostic>>,
    /// True if the form can be edited.
    #[prop(into)]
    editable: Signal<bool>,
    on_submit: Callback<()>,
) -> impl IntoView {
    let active = Memo::new(move |_| draft.with(|draft| draft.active));
    let states =
        vec![segment(true, texts::active(), "campaign-active"), segment(false, texts::inactive(), "campaign-inactive")];
    let set_active = move |active: bool| draft.update(|draft| draft.active = active);
    let (name, set_name) = draft_field(draft, |draft| &mut draft.name);
    let number_input = move |id, label, hint: &'static str, pointer, accessor| {
        let ((value, set), diagnostics) = (draft_field(draft, accessor), diagnostics_signal(diagnostics, pointer));
        view! { <TextField id label hint inputmode="numeric" value set diagnostics /> }
    };
    let freeze_duration = move || draft.with(|draft| draft.freeze_minutes.trim().parse().ok().map(format_minutes));
    view! {
        <form
            id=FORM_ID
            class="stack"
            novalidate
            on:submit=move |event| {
                event.prevent_default();
                on_submit.run(());
            }
        >
            <fieldset class="bare stack" disabled=move || !editable.get()>
                <Card title=common::campaign() body_class="card-body form-grid">
                    <TextField
                        id="campaign-name"
                        label=common::name()
                        hint=texts::must_be_unique()
                        value=name
                        set=set_name
                        diagnostics=diagnostics_signal(diagnostics, "/name")
                    />
                    <div class="field">
                        <span class="label">{common::status()}</span>
                        <SegmentedControl label=common::status() segments=states selected=active on_choose=set_active />
                        <FieldDiagnostics diagnostics=diagnostics_signal(diagnostics, "/active") />
                    </div>
                </Card>
                <Card title=texts::calling_hours() body_class="card-body stack">
                    <HoursPicker draft diagnostics />
                </Card>
                <Card title=common::attempts() body_class="card-body form-grid">
                    {number_input(
                        "campaign-max-attempts",
                        texts::max_calls(),
                        texts::max_calls_hint(),
                        "/max_attempts",
                        |draft| &mut draft.max_attempts,
                    )}
                    {number_input(
                        "campaign-daily-attempts",
                        texts::max_calls_per_day(),
                        texts::max_calls_per_day_hint(),
                        "/daily_attempts",
                        |draft| &mut draft.daily_attempts,
                    )}
                    <div class="stack-tight">
                        {number_input(
                            "campaign-freeze",
                            texts::freeze(),
                            texts::freeze_hint(),
                            "/freeze_minutes",
                            |draft| &mut draft.freeze_minutes,
                        )}
                        <p class="small secondary" aria-live="polite">
                            {freeze_duration}
                        </p>
                    </div>
                </Card>
            </fieldset>
        </form>
    }
}

/// Formats a freeze time for display: `1 day 2 h 5 min`, or `No freeze` for 0.
pub fn format_minutes(minutes: u32) -> String {
    let (days, hours, remaining_minutes) = (minutes / 1_440, minutes / 60 % 24, minutes % 60);
    let part = |count: u32, format: fn(u64) -> String| (count > 0).then(|| format(count.into()));
    let parts = [part(days, common::days), part(hours, common::hours), part(remaining_minutes, common::minutes)];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if parts.is_empty() { texts::no_freeze().to_owned() } else { parts.join(" ") }
}

/// Edits the calling hours of a draft.
#[component]
fn HoursPicker(
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

#[cfg(test)]
mod tests {
    use crate::features::campaigns::form::format_minutes;
    use crate::i18n::locale::{Language, set_language};

    #[test]
    fn formats_minutes_in_words() {
        assert_eq!(format_minutes(0), "No freeze");
        assert_eq!(format_minutes(90), "1 h 30 min");
        assert_eq!(format_minutes(2 * 1_440 + 5), "2 days 5 min");
        set_language(Language::German);
        assert_eq!(format_minutes(1_440 + 90), "1 Tag 1 Std. 30 Min.");
    }
}
