//! Number of callable leads of a campaign, and the effect that unsaved changes would have on it.

use std::cmp::Reverse;

use leadscribe_engine::api::{Callability, CampaignPreview, NotCallableCode};
use leptos::prelude::*;

use crate::components::badge::{Badge, Tone};
use crate::filter_text::list_of;
use crate::language::language;
use crate::texts::campaigns as texts;
use crate::when::count;

/// The effect. Without unsaved changes, shows the current state.
#[component]
pub fn CampaignEffect(
    preview: CampaignPreview,
    /// True if the campaign has unsaved changes.
    changed: bool,
) -> impl IntoView {
    let is_sample = preview.judged < preview.leads;
    // Counts are extrapolated if only a sample was evaluated.
    let of_all = move |counted: u64| {
        let (leads, judged) = (u128::from(preview.leads), u128::from(preview.judged.max(1)));
        (u128::from(counted) * leads / judged) as u64
    };
    let (before, after) = (of_all(preview.before.callable), of_all(preview.after.callable));
    let sample = is_sample.then(|| {
        view! { <p class="small secondary" data-test="sampled">{texts::estimated(preview.judged)}</p> }
    });
    let changes = preview.changes.iter().map(|change| {
        let (tone, text) = difference(before, of_all(change.callable));
        view! {
            <li class="spread" data-test="change" data-field=change.field.clone()>
                <span>{field_label(&change.field)}</span>
                <Badge tone text />
            </li>
        }
    });
    let changes = (changed && !preview.changes.is_empty()).then(|| {
        view! {
            <div class="stack-tight">
                <h3>{texts::each_change()}</h3>
                <ul class="stack-tight small">{changes.collect_view()}</ul>
            </div>
        }
    });
    let no_effect =
        (changed && preview.changes.is_empty()).then(|| view! { <p class="small secondary">{texts::no_effect()}</p> });
    let old = changed.then(|| {
        view! {
            <span class="effect-old">{count(before)}</span>
            <span class="muted" aria-hidden="true">
                "→"
            </span>
            <span class="visually-hidden">{texts::becomes()}</span>
        }
    });
    let delta = changed.then(|| {
        let (tone, text) = difference(before, after);
        view! { <span data-test="difference"><Badge tone text /></span> }
    });
    view! {
        <div class="stack" data-test="effect" data-callable=after.to_string()>
            <div class="stack-tight">
                <p class="effect-count">
                    {old} <span class="effect-new">{if is_sample { texts::about(after) } else { count(after) }}</span> {delta}
                </p>
                <p class="secondary">{texts::of_callable(preview.leads)}</p>
                {sample}
            </div>
            {changes}
            {no_effect}
            {reasons(&preview.before, &preview.after, changed, &of_all)}
        </div>
    }
    .into_any()
}

/// Reasons why leads can't be called, one per line.
fn reasons(before: &Callability, after: &Callability, changed: bool, of_all: &dyn Fn(u64) -> u64) -> AnyView {
    let leads = |of: &Callability, code: NotCallableCode| {
        of.reasons.iter().find(|reason| reason.code == code).map_or(0, |reason| of_all(reason.leads))
    };
    // Sorted by the saved counts, most frequent first, so that rows don't move during editing.
    let mut codes = NotCallableCode::ALL.to_vec();
    codes.sort_by_key(|code| Reverse(leads(before, *code)));
    let rows = codes.iter().filter_map(|code| {
        let (old, new) = (leads(before, *code), leads(after, *code));
        let filter =
            before.reasons.iter().find(|reason| reason.code == *code).and_then(|reason| reason.filter.as_deref());
        let name = match filter {
            Some(filter) => view! { <a href=list_of(filter)>{code.label(language())}</a> }.into_any(),
            None => code.label(language()).into_any(),
        };
        (old > 0 || new > 0).then(|| {
            view! {
                <tr data-test="effect-reason" data-code=code.as_str()>
                    <th scope="row">{name}</th>
                    <td class="number" class:muted=changed>{count(old)}</td>
                    {changed.then(|| view! { <td class="number" class:strong=old != new>{count(new)}</td> })}
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
            <table class="effect-reasons small">
                <caption>{texts::why_others()}</caption>
                <thead>
                    <tr>
                        <th scope="col">{texts::reason()}</th>
                        <th scope="col" class="number">{if changed { texts::saved() } else { texts::leads() }}</th>
                        {changed.then(|| view! { <th scope="col" class="number">{texts::changed()}</th> })}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            <p class="small muted">{texts::several_reasons()}</p>
        </div>
    }
    .into_any()
}

/// Formats a difference as `+12`, `−3` or `±0`, with its tone.
fn difference(before: u64, after: u64) -> (Tone, String) {
    match after.cmp(&before) {
        std::cmp::Ordering::Greater => (Tone::Success, format!("+{}", count(after - before))),
        std::cmp::Ordering::Less => (Tone::Warning, format!("−{}", count(before - after))),
        std::cmp::Ordering::Equal => (Tone::Neutral, "±0".to_owned()),
    }
}

fn field_label(field: &str) -> String {
    let label = match field {
        "active" => texts::state(),
        "calling_hours" => texts::calling_hours(),
        "max_attempts" => texts::calls_in_all(),
        "daily_attempts" => texts::calls_a_day(),
        other => other,
    };
    label.to_owned()
}
