//! Number of leads of a campaign that can be called, with and without the unsaved changes.

use std::cmp::Reverse;

use leadscribe_engine::api::{Callability, CampaignPreview, NotCallableCode};
use leptos::prelude::*;

use crate::i18n::datetime::format_count;
use crate::i18n::language;
use crate::i18n::texts::{campaigns as texts, common, shell};
use crate::state::ApiResource;
use crate::ui::audit::field_label;
use crate::ui::filter_editor::filter_text::list_url;
use crate::ui::list::SkeletonBars;
use crate::ui::{Badge, Card, ErrorNotice, Tone};

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

/// Effect of the unsaved changes, or the current state if there are none.
#[component]
fn CampaignImpact(
    preview: CampaignPreview,
    /// True if the campaign has unsaved changes.
    changed: bool,
) -> impl IntoView {
    let is_sample = preview.evaluated < preview.leads;
    // Counts are extrapolated if only a sample was evaluated.
    let extrapolate = move |sample_count: u64| {
        let (leads, evaluated) = (u128::from(preview.leads), u128::from(preview.evaluated.max(1)));
        (u128::from(sample_count) * leads / evaluated) as u64
    };
    let (before, after) = (extrapolate(preview.before.callable), extrapolate(preview.after.callable));
    let sample = is_sample.then(|| {
        view! { <p class="small secondary" data-test="estimate-note">{texts::estimated(preview.evaluated)}</p> }
    });
    let changes = preview.changes.iter().map(|change| {
        let (tone, text) = difference(before, extrapolate(change.callable));
        view! {
            <li class="space-between" data-test="change" data-field=change.field.clone()>
                <span>{field_label(&change.field)}</span>
                <Badge tone text />
            </li>
        }
    });
    let changes = (changed && !preview.changes.is_empty()).then(|| {
        view! {
            <div class="stack-tight">
                <h3>{texts::effect_of_each_change()}</h3>
                <ul class="stack-tight small">{changes.collect_view()}</ul>
            </div>
        }
    });
    let no_effect =
        (changed && preview.changes.is_empty()).then(|| view! { <p class="small secondary">{texts::no_effect()}</p> });
    let old = changed.then(|| {
        view! {
            <span class="impact-before">{format_count(before)}</span>
            <span class="muted" aria-hidden="true">
                "→"
            </span>
            <span class="visually-hidden">{texts::changes_to()}</span>
        }
    });
    let delta = changed.then(|| {
        let (tone, text) = difference(before, after);
        view! { <span data-test="difference"><Badge tone text /></span> }
    });
    view! {
        <div class="stack" data-test="campaign-impact" data-callable=after.to_string()>
            <div class="stack-tight">
                <p class="baseline impact-count">
                    {old} <span class="impact-after">{if is_sample { texts::about(after) } else { format_count(after) }}</span> {delta}
                </p>
                <p class="secondary">{texts::callable_of_total(preview.leads)}</p>
                {sample}
            </div>
            {changes}
            {no_effect}
            {reason_table(&preview.before, &preview.after, changed, &extrapolate)}
        </div>
    }
}

/// Reasons why leads can't be called, one per line.
fn reason_table(before: &Callability, after: &Callability, changed: bool, extrapolate: &dyn Fn(u64) -> u64) -> AnyView {
    let count_leads = |callability: &Callability, code: NotCallableCode| {
        callability.reasons.iter().find(|reason| reason.code == code).map_or(0, |reason| extrapolate(reason.leads))
    };
    // Sorted by the saved counts, most frequent first, so that rows don't move during editing.
    let mut codes = NotCallableCode::ALL.to_vec();
    codes.sort_by_key(|code| Reverse(count_leads(before, *code)));
    let rows = codes.iter().filter_map(|code| {
        let (old, new) = (count_leads(before, *code), count_leads(after, *code));
        let filter =
            before.reasons.iter().find(|reason| reason.code == *code).and_then(|reason| reason.filter.as_deref());
        let name = match filter {
            Some(filter) => view! { <a href=list_url(filter)>{code.label(language())}</a> }.into_any(),
            None => code.label(language()).into_any(),
        };
        (old > 0 || new > 0).then(|| {
            view! {
                <tr data-test="impact-reason" data-code=code.as_str()>
                    <th scope="row">{name}</th>
                    <td class="number" class:muted=changed>{format_count(old)}</td>
                    {changed.then(|| view! { <td class="number" class:strong=old != new>{format_count(new)}</td> })}
                </tr>
            }
        })
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return ().into_any();
    }
    view! {
        <div class="stack-tight">
            <table class="impact-reasons small">
                <caption>{texts::why_not_callable()}</caption>
                <thead>
                    <tr>
                        <th scope="col">{common::reason()}</th>
                        <th scope="col" class="number">{if changed { texts::saved() } else { shell::leads() }}</th>
                        {changed.then(|| view! { <th scope="col" class="number">{texts::changed()}</th> })}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            <p class="small muted">{common::multiple_reasons_note()}</p>
        </div>
    }
    .into_any()
}

/// Formats a difference as `+12`, `−3` or `±0`, with its tone.
fn difference(before: u64, after: u64) -> (Tone, String) {
    match after.cmp(&before) {
        std::cmp::Ordering::Greater => (Tone::Success, format!("+{}", format_count(after - before))),
        std::cmp::Ordering::Less => (Tone::Warning, format!("−{}", format_count(before - after))),
        std::cmp::Ordering::Equal => (Tone::Neutral, "±0".to_owned()),
    }
}
