//! Form of a campaign: its name, its calling hours and its call limits.

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use super::draft::CampaignDraft;
use crate::components::input::field::{Field, FieldFaults};
use crate::components::input::hours_picker::HoursPicker;
use crate::components::segments::{Segments, segment};
use crate::faults::faults_at;
use crate::texts::campaigns as texts;

/// JSON pointers whose faults are shown at their inputs.
pub const SHOWN: [&str; 6] =
    ["/name", "/active", "/calling_hours", "/max_attempts", "/daily_attempts", "/freeze_minutes"];

/// Id of the form, for submit buttons outside of it.
pub const FORM: &str = "campaign-form";

/// The form. A button that refers to its id or the Enter key submits it.
#[component]
pub fn CampaignForm(
    draft: RwSignal<CampaignDraft>,
    #[prop(into)] faults: Signal<Vec<Diagnostic>>,
    /// True if the form can be edited.
    #[prop(into)]
    open: Signal<bool>,
    on_submit: Callback<()>,
) -> impl IntoView {
    let at = move |place: &'static str| Signal::derive(move || faults.with(|faults| faults_at(faults, place)));
    let active = Memo::new(move |_| draft.with(|draft| draft.active));
    let states = vec![segment(true, texts::active(), "campaign-active"), segment(false, texts::off(), "campaign-off")];
    let on_state = move |active: bool| draft.update(|draft| draft.active = active);
    let input = move |id: &'static str, label: &'static str, hint: &'static str, place, member: Member| {
        let faults = at(place);
        let is_number = id != "campaign-name";
        view! {
            <Field id label hint faults=faults>
                <input
                    id=id
                    class="input"
                    autocomplete="off"
                    inputmode=is_number.then_some("numeric")
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
    };
    let freeze = move || draft.with(|draft| draft.freeze_minutes.trim().parse().ok().map(spelled_out));
    view! {
        <form
            id=FORM
            class="stack"
            novalidate
            on:submit=move |event| {
                event.prevent_default();
                on_submit.run(());
            }
        >
            <fieldset class="bare stack" disabled=move || !open.get()>
                <section class="card" aria-labelledby="campaign-about">
                    <div class="card-head">
                        <h2 id="campaign-about">{texts::campaign()}</h2>
                    </div>
                    <div class="card-body form-grid">
                        {input("campaign-name", texts::name(), texts::unlike_others(), "/name", |draft| &mut draft.name)}
                        <div class="field">
                            <span class="label">{texts::state()}</span>
                            <Segments label=texts::state() segments=states chosen=active on_choose=on_state />
                            <FieldFaults faults=at("/active") />
                        </div>
                    </div>
                </section>
                <section class="card" aria-labelledby="campaign-hours">
                    <div class="card-head">
                        <h2 id="campaign-hours">{texts::calling_hours()}</h2>
                    </div>
                    <div class="card-body stack">
                        <HoursPicker draft faults />
                    </div>
                </section>
                <section class="card" aria-labelledby="campaign-attempts">
                    <div class="card-head">
                        <h2 id="campaign-attempts">{texts::attempts()}</h2>
                    </div>
                    <div class="card-body form-grid">
                        {input(
                            "campaign-max-attempts",
                            texts::calls_in_all(),
                            texts::calls_in_all_hint(),
                            "/max_attempts",
                            |draft| &mut draft.max_attempts,
                        )}
                        {input(
                            "campaign-daily-attempts",
                            texts::calls_a_day(),
                            texts::calls_a_day_hint(),
                            "/daily_attempts",
                            |draft| &mut draft.daily_attempts,
                        )}
                        <div class="stack-tight">
                            {input(
                                "campaign-freeze",
                                texts::freeze(),
                                texts::freeze_hint(),
                                "/freeze_minutes",
                                |draft| &mut draft.freeze_minutes,
                            )}
                            <p class="small secondary" aria-live="polite">
                                {freeze}
                            </p>
                        </div>
                    </div>
                </section>
            </fieldset>
        </form>
    }
    .into_any()
}

/// Accessor for a text field of the draft.
type Member = fn(&mut CampaignDraft) -> &mut String;

/// Formats minutes for display: `1 day 2 h 5 min`.
pub fn spelled_out(minutes: u32) -> String {
    let (days, hours, rest) = (minutes / 1_440, minutes / 60 % 24, minutes % 60);
    let part = |count: u32, told: fn(u64) -> String| (count > 0).then(|| told(count.into()));
    let parts = [part(days, texts::days), part(hours, texts::hours), part(rest, texts::minutes)];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if parts.is_empty() { texts::no_freeze().to_owned() } else { parts.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::spelled_out;
    use crate::language::{Language, speak};

    #[test]
    fn formats_minutes_in_words() {
        assert_eq!(spelled_out(0), "No freeze");
        assert_eq!(spelled_out(90), "1 h 30 min");
        assert_eq!(spelled_out(2 * 1_440 + 5), "2 days 5 min");
        speak(Language::German);
        assert_eq!(spelled_out(1_440 + 90), "1 Tag 1 Std. 30 Min.");
    }
}
