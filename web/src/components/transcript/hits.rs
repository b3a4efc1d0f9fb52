//! Search results: calls with the matching passages of their transcripts.

use leadscribe_engine::api::{Passage, TranscriptHit};
use leadscribe_engine::diagnostic::CharRange;
use leptos::prelude::*;

use super::conversation::speaker;
use crate::components::icon::{Glyph, Icon};
use crate::components::list::heads::Head;
use crate::components::moment::Moment;
use crate::display_names::Named;
use crate::lead_names::LeadNames;
use crate::query::query_string;
use crate::texts::{calls, transcripts as texts};
use crate::when;

/// Sort keys. The list itself has no column headers.
pub static HEADS: [Head; 5] = [
    Head::new(calls::time).by(NEWEST),
    Head::new(texts::length).by("-duration"),
    Head::new(texts::language).by("language"),
    Head::new(calls::campaign_column).by("campaign_name"),
    Head::new(calls::agent).by("agent"),
];

/// Default sort order of transcripts.
pub const NEWEST: &str = "-call_created_at";

/// The list.
#[component]
pub fn TranscriptHits(
    /// `None` until the first response arrives.
    hits: Signal<Option<Vec<TranscriptHit>>>,
    /// Searched words, which the page of the call highlights too.
    words: Signal<String>,
    /// Names of the leads.
    leads: LeadNames,
    #[prop(optional, into)] stale: Signal<bool>,
) -> impl IntoView {
    let cards = move || match hits.get() {
        None => (0..4).map(|_| view! { <LoadingHit /> }).collect_view().into_any(),
        Some(hits) => {
            let words = words.get_untracked();
            hits.into_iter().map(|hit| card(hit, &words, leads)).collect_view().into_any()
        }
    };
    view! {
        <div class="hits" class:is-stale=stale aria-busy=move || stale.get().to_string()>
            {cards}
        </div>
    }
}

#[component]
fn LoadingHit() -> impl IntoView {
    view! {
        <div class="card hit" aria-hidden="true">
            <div class="hit-head">
                <span class="skeleton skeleton-3"></span>
            </div>
            <div class="card-body">
                <span class="skeleton skeleton-1"></span>
                <span class="skeleton skeleton-2"></span>
            </div>
        </div>
    }
}

fn card(hit: TranscriptHit, words: &str, leads: LeadNames) -> AnyView {
    let id = hit.call_id;
    let link = move |start: Option<f64>, words: &str| {
        let start = start.map(|start| format!("{start:.2}")).unwrap_or_default();
        format!("/calls/{id}{}", query_string(&[("t", &start), ("q", words)]))
    };
    let lead = hit.lead_id.map(|id| {
        view! { <a href=format!("/leads/{id}") data-test="hit-lead">{move || leads.name(id)}</a> }
    });
    let campaign = hit.campaign_name.or_else(|| hit.campaign_id.map(calls::campaign));
    let shown: usize = hit.passages.iter().map(|passage| passage.matches.len()).sum();
    let left = u64::from(hit.matches).saturating_sub(shown as u64);
    let more = (left > 0).then(|| {
        view! {
            <a class="hit-more small" href=link(None, words)>
                {texts::more_in_call(left)}
                <Icon glyph=Glyph::Next />
            </a>
        }
    });
    let matches = (hit.matches > 0).then(|| {
        view! { <span class="chip tone-accent" data-test="hit-matches">{texts::matches(hit.matches.into())}</span> }
    });
    // A language is detected only if there is speech.
    let nothing = if hit.language.is_some() { texts::no_words() } else { texts::nobody_spoke() };
    let nothing_said = hit.passages.is_empty().then(|| view! { <li class="secondary small">{nothing}</li> });
    let passages = hit.passages.into_iter().map(|passage| {
        let href = link(Some(passage.start), words);
        line(passage, href)
    });
    view! {
        <article class="card hit" data-row="" data-test="hit" data-id=id.to_string() aria-label=calls::call(id)>
            <header class="hit-head">
                <div class="hit-facts">
                    <a class="strong" data-opens="" href=link(None, words)>{calls::call(id)}</a>
                    <Moment at=hit.call_created_at />
                    {hit.agent.map(|agent| view! { <span>{agent}</span> })}
                    {campaign.map(|campaign| view! { <span>{campaign}</span> })}
                    {lead}
                </div>
                <div class="hit-chips">
                    {hit.language.map(|code| view! { <span class="chip" title=code.clone()>{Named::Language.name(&code)}</span> })}
                    <span class="chip">{when::length(hit.duration)}</span>
                    {matches}
                </div>
            </header>
            <ol class="passages">{passages.collect_view()} {nothing_said}</ol>
            {more}
        </article>
    }
    .into_any()
}

fn line(passage: Passage, href: String) -> impl IntoView {
    let text = pieces(&passage.text, &passage.matches)
        .into_iter()
        .map(|(text, is_found)| if is_found { view! { <mark>{text}</mark> }.into_any() } else { text.into_any() });
    view! {
        <li>
            <a class="passage" href=href data-test="passage">
                <span class="passage-time">{when::length(passage.start)}</span>
                <span class="passage-side">{speaker(passage.side)}</span>
                <span class="passage-text">{text.collect_view()}</span>
            </a>
        </li>
    }
}

/// Splits the text into matching and other pieces.
fn pieces(text: &str, found: &[CharRange]) -> Vec<(String, bool)> {
    let mut pieces: Vec<(String, bool)> = Vec::new();
    for (at, c) in text.chars().enumerate() {
        let is_found = found.iter().any(|range| (range.start..range.end).contains(&at));
        match pieces.last_mut() {
            Some((piece, found)) if *found == is_found => piece.push(c),
            _ => pieces.push((c.to_string(), is_found)),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_matches_by_character() {
        let found = [CharRange { start: 1, end: 3 }, CharRange { start: 2, end: 4 }, CharRange { start: 6, end: 7 }];
        let pieces = pieces("ä über z", &found);
        let pieces: Vec<_> = pieces.iter().map(|(text, found)| (text.as_str(), *found)).collect();
        assert_eq!(pieces, [("ä", false), (" üb", true), ("er", false), (" ", true), ("z", false)]);
    }
}
