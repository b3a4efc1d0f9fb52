//! Search results: calls with the matching passages of their transcripts.

use leadscribe_engine::api::{Passage, TranscriptHit};
use leadscribe_engine::diagnostic::CharRange;
use leptos::prelude::*;

use crate::browser::query::query_string;
use crate::i18n::datetime;
use crate::i18n::texts::{calls, common, shell, transcripts as texts};
use crate::ui::lead::lead_names::LeadNames;
use crate::ui::list::ColumnHeader;
use crate::ui::transcript::conversation::side_label;
use crate::ui::{CodeKind, Glyph, Icon, LocalTime};

/// Sort keys. The list itself has no column headers.
pub static COLUMNS: [ColumnHeader; 5] = [
    ColumnHeader::new(common::time).sorted_by(DEFAULT_ORDER),
    ColumnHeader::new(common::duration).sorted_by("-duration"),
    ColumnHeader::new(shell::language).sorted_by("language"),
    ColumnHeader::new(common::campaign).sorted_by("campaign_name"),
    ColumnHeader::new(calls::agent).sorted_by("agent"),
];

pub const DEFAULT_ORDER: &str = "-call_created_at";

#[component]
pub fn TranscriptHits(
    /// `None` until the first response arrives.
    hits: Signal<Option<Vec<TranscriptHit>>>,
    /// Searched words, which the page of the call highlights too.
    words: Signal<String>,
    leads: LeadNames,
    #[prop(optional, into)] stale: Signal<bool>,
) -> impl IntoView {
    let cards = move || match hits.get() {
        None => (0..4).map(|_| view! { <HitSkeleton /> }).collect_view().into_any(),
        Some(hits) => {
            let words = words.get_untracked();
            hits.into_iter().map(|hit| hit_card(hit, &words, leads)).collect_view().into_any()
        }
    };
    view! {
        <div class="hits" class:is-stale=stale aria-busy=move || stale.get().to_string()>
            {cards}
        </div>
    }
}

#[component]
fn HitSkeleton() -> impl IntoView {
    view! {
        <div class="card hit" aria-hidden="true">
            <div class="space-between hit-header">
                <span class="skeleton skeleton-3"></span>
            </div>
            <div class="card-body">
                <span class="skeleton skeleton-1"></span>
                <span class="skeleton skeleton-2"></span>
            </div>
        </div>
    }
}

fn hit_card(hit: TranscriptHit, words: &str, leads: LeadNames) -> AnyView {
    let id = hit.call_id;
    let link = move |start: Option<f64>, words: &str| {
        let start = start.map(|start| format!("{start:.2}")).unwrap_or_default();
        format!("/calls/{id}{}", query_string(&[("t", &start), ("q", words)]))
    };
    let lead = hit.lead_id.map(|id| {
        view! { <a href=format!("/leads/{id}") data-test="hit-lead">{move || leads.name(id)}</a> }
    });
    let campaign = hit.campaign_name.or_else(|| hit.campaign_id.map(common::campaign_number));
    let shown_count: usize = hit.passages.iter().map(|passage| passage.matches.len()).sum();
    let remaining = u64::from(hit.matches).saturating_sub(shown_count as u64);
    let more_link = (remaining > 0).then(|| {
        view! {
            <a class="line hit-more small" href=link(None, words)>
                {texts::more_in_call(remaining)}
                <Icon glyph=Glyph::Next />
            </a>
        }
    });
    let matches = (hit.matches > 0).then(|| {
        view! { <span class="chip tone-accent" data-test="hit-matches">{texts::matches(hit.matches.into())}</span> }
    });
    // A language is detected only if there is speech.
    let no_match_text = if hit.language.is_some() { texts::no_words() } else { texts::no_speech() };
    let empty_line = hit.passages.is_empty().then(|| view! { <li class="secondary small">{no_match_text}</li> });
    let passages = hit.passages.into_iter().map(|passage| {
        let href = link(Some(passage.start), words);
        passage_line(passage, href)
    });
    view! {
        <article class="card hit" data-row="" data-test="hit" data-id=id.to_string() aria-label=common::call_number(id)>
            <header class="space-between hit-header">
                <div class="baseline small secondary hit-details">
                    <a class="strong" data-row-link="" href=link(None, words)>{common::call_number(id)}</a>
                    <LocalTime at=hit.call_created_at />
                    {hit.agent.map(|agent| view! { <span>{agent}</span> })}
                    {campaign.map(|campaign| view! { <span>{campaign}</span> })}
                    {lead}
                </div>
                <div class="hit-chips">
                    {hit.language.map(|code| view! { <span class="chip" title=code.clone()>{CodeKind::Language.display_name(&code)}</span> })}
                    <span class="chip">{datetime::format_duration(hit.duration)}</span>
                    {matches}
                </div>
            </header>
            <ol class="passages">{passages.collect_view()} {empty_line}</ol>
            {more_link}
        </article>
    }
    .into_any()
}

fn passage_line(passage: Passage, href: String) -> impl IntoView {
    let text = split_matches(&passage.text, &passage.matches)
        .into_iter()
        .map(|(text, is_match)| if is_match { view! { <mark>{text}</mark> }.into_any() } else { text.into_any() });
    view! {
        <li>
            <a class="passage" href=href data-test="passage">
                <span class="passage-time">{datetime::format_duration(passage.start)}</span>
                <span class="passage-side">{side_label(passage.side)}</span>
                <span class="passage-text">{text.collect_view()}</span>
            </a>
        </li>
    }
}

/// Splits the text into matching and non-matching pieces.
fn split_matches(text: &str, matches: &[CharRange]) -> Vec<(String, bool)> {
    let mut segments: Vec<(String, bool)> = Vec::new();
    for (index, c) in text.chars().enumerate() {
        let is_match = matches.iter().any(|range| (range.start..range.end).contains(&index));
        match segments.last_mut() {
            Some((piece, matches)) if *matches == is_match => piece.push(c),
            _ => segments.push((c.to_string(), is_match)),
        }
    }
    segments
}

#[cfg(test)]
mod tests {
    use crate::features::transcripts::hits::*;

    #[test]
    fn marks_matches_by_character() {
        let matches = [CharRange { start: 1, end: 3 }, CharRange { start: 2, end: 4 }, CharRange { start: 6, end: 7 }];
        let segments = split_matches("ä über z", &matches);
        let segments: Vec<_> = segments.iter().map(|(text, matches)| (text.as_str(), *matches)).collect();
        assert_eq!(segments, [("ä", false), (" üb", true), ("er", false), (" ", true), ("z", false)]);
    }
}
