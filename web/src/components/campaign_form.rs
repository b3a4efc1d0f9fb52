//! The form of a campaign: its name, when its leads are called, and how often.

use leadscribe_engine::fault::Fault;
use leptos::prelude::*;

use super::campaign_draft::CampaignDraft;
use super::field::{Field, FieldFaults};
use super::hours_picker::HoursPicker;
use crate::faults::faults_at;

/// The members of the body whose faults stand at their inputs.
pub const SHOWN: [&str; 6] =
    ["/name", "/active", "/calling_hours", "/max_attempts", "/daily_attempts", "/freeze_minutes"];

/// The id of the form, by which buttons outside of it send it.
pub const FORM: &str = "campaign-form";

/// The form; it is sent by a button that names it, or by Enter.
#[component]
pub fn CampaignForm(
    draft: RwSignal<CampaignDraft>,
    #[prop(into)] faults: Signal<Vec<Fault>>,
    /// Whether it can be changed.
    #[prop(into)]
    open: Signal<bool>,
    on_submit: Callback<()>,
) -> impl IntoView {
    let at = move |place: &'static str| Signal::derive(move || faults.with(|faults| faults_at(faults, place)));
    let active = Memo::new(move |_| draft.with(|draft| draft.active));
    let state = move |label: &'static str, test: &'static str, value: bool| {
        view! {
            <button
                type="button"
                data-test=test
                aria-pressed=move || (active.get() == value).to_string()
                on:click=move |_| draft.update(|draft| draft.active = value)
            >
                {label}
            </button>
        }
    };
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
                        <h2 id="campaign-about">"Campaign"</h2>
                    </div>
                    <div class="card-body form-grid">
                        {input("campaign-name", "Name", "Unlike any other campaign's.", "/name", |draft| &mut draft.name)}
                        <div class="field">
                            <span class="label">"State"</span>
                            <div class="segments" role="group" aria-label="State">
                                {state("Active", "campaign-active", true)}
                                {state("Off", "campaign-off", false)}
                            </div>
                            <FieldFaults faults=at("/active") />
                        </div>
                    </div>
                </section>
                <section class="card" aria-labelledby="campaign-hours">
                    <div class="card-head">
                        <h2 id="campaign-hours">"Calling hours"</h2>
                    </div>
                    <div class="card-body stack">
                        <HoursPicker draft faults />
                    </div>
                </section>
                <section class="card" aria-labelledby="campaign-attempts">
                    <div class="card-head">
                        <h2 id="campaign-attempts">"Attempts"</h2>
                    </div>
                    <div class="card-body form-grid">
                        {input(
                            "campaign-max-attempts",
                            "Calls in all",
                            "Afterwards a lead isn't called again. Empty: without limit.",
                            "/max_attempts",
                            |draft| &mut draft.max_attempts,
                        )}
                        {input(
                            "campaign-daily-attempts",
                            "Calls a day",
                            "Days are those of UTC. Empty: without limit.",
                            "/daily_attempts",
                            |draft| &mut draft.daily_attempts,
                        )}
                        <div class="stack-tight">
                            {input(
                                "campaign-freeze",
                                "Freeze after an attempt, in minutes",
                                "Counts from the next attempt on; leads that are frozen stay so.",
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

/// Where a member of the draft is written.
type Member = fn(&mut CampaignDraft) -> &mut String;

/// Minutes as a person says them: `1 day 2 h 5 min`.
pub fn spelled_out(minutes: u32) -> String {
    let (days, hours, rest) = (minutes / 1_440, minutes / 60 % 24, minutes % 60);
    let parts = [(days, if days == 1 { "day" } else { "days" }), (hours, "h"), (rest, "min")];
    let parts: Vec<_> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count} {unit}")).collect();
    if parts.is_empty() { "No freeze".to_owned() } else { parts.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::spelled_out;

    #[test]
    fn minutes_are_spelled_out() {
        assert_eq!(spelled_out(0), "No freeze");
        assert_eq!(spelled_out(90), "1 h 30 min");
        assert_eq!(spelled_out(2 * 1_440 + 5), "2 days 5 min");
    }
}
