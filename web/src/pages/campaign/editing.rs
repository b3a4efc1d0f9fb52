//! What the pages of a campaign that is there and of a new one have in common.

use leadscribe_engine::fault::Fault;
use leptos::prelude::*;

use crate::attempt::Attempt;
use crate::components::campaign_draft::CampaignDraft;
use crate::components::campaign_form::{FORM, SHOWN};
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::texts::campaigns as texts;

/// What the engine and the server find wrong. What the server found is about what was sent, and gone with the next change.
pub fn all_faults(own: Signal<Vec<Fault>>, draft: RwSignal<CampaignDraft>, attempt: Attempt) -> Signal<Vec<Fault>> {
    Effect::new(move |_| {
        draft.track();
        attempt.clear();
    });
    Signal::derive(move || {
        let mut faults = own.get();
        faults.extend(attempt.refusal().iter().flat_map(|error| error.faults()).cloned());
        faults
    })
}

/// Why it was refused, but for what stands at its input.
pub fn refusal(attempt: Attempt) -> Option<AnyView> {
    attempt.refusal_beside(&SHOWN).map(|error| view! { <ErrorNotice error /> }.into_any())
}

/// The way back to the list.
pub fn to_all() -> AnyView {
    view! {
        <a class="breadcrumb" href="/campaigns">
            <Icon glyph=Glyph::Previous />
            {texts::all_campaigns()}
        </a>
    }
    .into_any()
}

/// The button that sends the form.
#[component]
pub fn Save(attempt: Attempt, label: &'static str, disabled: Signal<bool>) -> impl IntoView {
    let busy = attempt.is_busy();
    view! {
        <button
            type="submit"
            form=FORM
            class="button button-primary"
            data-test="save"
            disabled=move || busy.get() || disabled.get()
        >
            {move || busy.get().then(|| view! { <span class="spinner" aria-hidden="true"></span> })}
            {label}
        </button>
    }
}
