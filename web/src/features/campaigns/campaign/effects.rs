//! Number of leads of the campaign that can be called, now and after the unsaved changes.

use leadscribe_engine::api::CampaignPreview;
use leptos::prelude::*;

use crate::features::campaigns::impact::CampaignImpact;
use crate::i18n::texts::{campaigns as texts, common};
use crate::state::ApiResource;
use crate::ui::list::SkeletonBars;
use crate::ui::{Card, ErrorNotice};

#[derive(Clone, PartialEq)]
pub struct ChangePreview {
    pub preview: CampaignPreview,
    /// True if the preview includes changes, false if it shows the current state.
    pub is_change: bool,
}

/// Card with the preview.
#[component]
pub fn Effects(
    change_preview: ApiResource<ChangePreview>,
    #[prop(into)] is_invalid: Signal<bool>,
    on_retry: Callback<()>,
) -> impl IntoView {
    let body = move || match (change_preview.error.get(), change_preview.get()) {
        (Some(error), _) => view! { <ErrorNotice error on_retry /> }.into_any(),
        (None, Some(ChangePreview { preview, is_change })) => {
            view! { <CampaignImpact preview changed=is_change /> }.into_any()
        }
        (None, None) => view! { <SkeletonBars bars=20 /> }.into_any(),
    };
    let is_change = move || change_preview.with(|preview| preview.is_some_and(|preview| preview.is_change));
    let if_you_save =
        move || is_change().then(|| view! { <span class="small secondary">{texts::if_you_save()}</span> });
    let hint = move || {
        is_invalid.get().then(|| {
            view! { <p class="small secondary">{texts::fix_to_preview()}</p> }
        })
    };
    view! {
        <Card title=common::callable_now() title_id="impact-title" header=move || if_you_save>
            <div class="stack" aria-live="polite">
                {hint}
                <div class="table-wrap" class:is-stale=move || change_preview.is_loading.get() || is_invalid.get()>
                    {body}
                </div>
            </div>
        </Card>
    }
}
