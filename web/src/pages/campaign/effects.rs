//! Number of leads of the campaign that can be called, now and after the unsaved changes.

use leadscribe_engine::api::CampaignPreview;
use leptos::prelude::*;

use crate::components::campaign::effect::CampaignEffect;
use crate::components::error_notice::ErrorNotice;
use crate::components::list::table::SkeletonBars;
use crate::remote::Remote;
use crate::texts::campaigns as texts;

/// Preview of a change.
#[derive(Clone)]
pub struct Outcome {
    pub preview: CampaignPreview,
    /// True if the preview includes changes, false if it shows the current state.
    pub is_change: bool,
}

/// Card with the preview.
#[component]
pub fn Effects(effect: Remote<Outcome>, good: Signal<bool>, on_retry: Callback<()>) -> impl IntoView {
    let body = move || match (effect.error(), effect.get()) {
        (Some(error), _) => view! { <ErrorNotice error on_retry /> }.into_any(),
        (None, Some(Outcome { preview, is_change })) => {
            view! { <CampaignEffect preview changed=is_change /> }.into_any()
        }
        (None, None) => view! { <SkeletonBars bars=20 /> }.into_any(),
    };
    let is_change = move || effect.with(|effect| effect.is_some_and(|effect| effect.is_change));
    let hint = move || {
        (!good.get()).then(|| {
            view! { <p class="small secondary">{texts::mend_to_see()}</p> }
        })
    };
    view! {
        <section class="card" aria-labelledby="effect">
            <div class="card-head">
                <h2 id="effect">{texts::callable_now()}</h2>
                {move || is_change().then(|| view! { <span class="small secondary">{texts::if_you_save()}</span> })}
            </div>
            <div class="card-body stack" aria-live="polite">
                {hint}
                <div class="table-wrap" class:is-stale=move || effect.is_loading() || !good.get()>
                    {body}
                </div>
            </div>
        </section>
    }
    .into_any()
}
