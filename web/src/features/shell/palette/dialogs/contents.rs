//! Content of the command palette: pages, actions, campaigns, leads, items by number, and the list of shortcuts.

use std::time::Duration;

use leadscribe_engine::api::{Campaign, Lead, Page, SavedView};
use leptos::prelude::*;

use super::search::{self, ItemsById, PageActions, SearchResults};
use crate::api::{Session, use_api, use_session};
use crate::browser::query::query_string;
use crate::browser::scheduler::Debounce;
use crate::features::shell::palette::{PaletteAction, PaletteDialog, PaletteEntry, use_palette};
use crate::features::shell::shortcuts::ShortcutsDialog;
use crate::features::shell::use_navigation_entries;
use crate::i18n::text_normalization::TextQuery;
use crate::i18n::texts::{campaigns, common, leads as leads_texts, settings, shell as texts};
use crate::i18n::{Language, locale, number_format};
use crate::navigation::guard::Navigation;
use crate::navigation::navigator::Navigator;
use crate::navigation::settings_tabs;
use crate::state::lead_search::{
    CALL_KEYWORDS, DELIVERY_KEYWORDS, LEAD_KEYWORDS, has_keyword, parse_id, strip_keyword,
};
use crate::state::{ApiResource, Theme, use_theme};
use crate::ui::Glyph;
use crate::ui::lazy_view::lazy_view;
use crate::ui::lead::table::lead_name;
use crate::ui::list::view_href;

/// Debounce delay of the lead search.
const SEARCH_DELAY: Duration = Duration::from_millis(150);

/// Minimum number of characters. Fewer match too many leads.
const MIN_SEARCH_CHARS: usize = 2;

/// Maximum number of campaigns to show.
const MAX_CAMPAIGNS: usize = 6;

lazy_view!(
    /// Command palette and list of shortcuts, loaded on demand.
    dialogs: pub fn command_palette(Navigator) = palette_dialogs
);

/// Command palette and list of shortcuts; each is shown when its signal is set.
fn palette_dialogs(navigator: Navigator) -> AnyView {
    let (api, session, palette) = (use_api(), use_session(), use_palette());
    let chosen_theme = use_theme();
    let search_results = ApiResource::<SearchResults>::new();
    let (views, campaigns) = (ApiResource::<Page<SavedView>>::new(), ApiResource::<Page<Campaign>>::new());
    Effect::new(move |_| {
        if palette.is_open.get() {
            views.load(api.views());
            campaigns.load(api.campaigns());
        }
    });
    let (debounce, is_search_pending) = (Debounce::new(), RwSignal::new(false));
    Effect::new(move |_| {
        let input = palette.query.get();
        debounce.cancel();
        search_results.clear();
        let is_searchable = input.trim().chars().count() >= MIN_SEARCH_CHARS || parse_id(&input).is_some();
        is_search_pending.set(is_searchable);
        if is_searchable {
            let search = move || {
                is_search_pending.set(false);
                search_results.load(search::run_search(api, input.clone()));
            };
            debounce.schedule(SEARCH_DELAY, search);
        }
    });
    let page_actions = PageActions::default();
    let static_entries =
        Memo::new(move |_| palette.is_open.get().then(|| [page_actions.collect(), static_entries(session)].concat()));
    let entries = Memo::new(move |_| {
        let Some(mut matching_entries) = static_entries.get() else { return Vec::new() };
        let input = palette.query.get();
        let text_query = TextQuery::new(&input);
        let mut entries = search_results.with(|search_results| {
            entries_by_id(&input, search_results.map(|search_results| &search_results.items_by_id))
        });
        matching_entries.retain(|entry| entry.matches(&text_query));
        entries.append(&mut matching_entries);
        let view_entries = views.with(|page| page.map(|page| page.items.iter().map(view_entry).collect::<Vec<_>>()));
        entries.extend(view_entries.into_iter().flatten().filter(|entry| entry.matches(&text_query)));
        if !input.trim().is_empty() {
            let matches_name = |campaign: &&Campaign| text_query.matches_item(texts::campaigns(), &campaign.name);
            campaigns.with(|page| {
                let matching = page.into_iter().flat_map(|page| page.items.iter()).filter(matches_name);
                entries.extend(matching.take(MAX_CAMPAIGNS).map(campaign_entry));
            });
            entries.extend(search_results.with(|search_results| {
                search_results.map(|search_results| lead_entries(&input, search_results)).unwrap_or_default()
            }));
            entries.extend(search_entries(input.trim()));
        }
        entries
    });

    let on_choose = Callback::new(move |action: PaletteAction| match action {
        PaletteAction::Navigate(target) => navigator.go(Navigation::ToPath(target)),
        PaletteAction::SetTheme(theme) => chosen_theme.set(theme),
        PaletteAction::SetLanguage(language) => locale::choose(language),
        PaletteAction::ShowShortcuts => palette.shortcuts_open.set(true),
        PaletteAction::PressButton(target) => page_actions.press(target),
        PaletteAction::LogOut => navigator.go(Navigation::LogOut),
    });
    view! {
        <PaletteDialog entries is_searching=Signal::derive(move || is_search_pending.get() || search_results.is_loading.get()) on_choose />
        <ShortcutsDialog open=palette.shortcuts_open />
    }
    .into_any()
}

/// Entries that don't depend on a search: pages, settings and actions. They can be found in every language.
fn static_entries(session: Session) -> Vec<PaletteEntry> {
    let own_language = locale::language();
    let mut entries = static_entries_in_language(session, own_language);
    for other in Language::ALL.into_iter().filter(|other| *other != own_language) {
        let translated = locale::with_language(other, || static_entries_in_language(session, own_language));
        entries.iter_mut().zip(translated).for_each(|(entry, other)| {
            entry.search_terms += &format!("\n{}\n{}", other.full_text(), other.search_terms)
        });
    }
    entries
}

/// The same entries in the current language; `own_language` is the panel's language.
fn static_entries_in_language(session: Session, own_language: Language) -> Vec<PaletteEntry> {
    let entry = |group, glyph, label: &str, note: &str, action| {
        let entry = PaletteEntry::new(group, glyph, label, note, action);
        // The buttons of the pages say "new" where the palette says "create".
        let synonyms =
            if glyph == Glyph::Plus { format!("{} {}", texts::new_item(), entry.full_text()) } else { String::new() };
        PaletteEntry { search_terms: synonyms, ..entry }
    };
    let go_to = |path: &str| PaletteAction::Navigate(path.to_owned());
    let mut entries: Vec<_> = use_navigation_entries()
        .into_iter()
        .map(|page| {
            let entry = entry(common::pages(), page.icon, (page.label)(), "", go_to(page.path));
            PaletteEntry { shortcut: page.shortcut_label(), search_terms: synonyms(page.path).to_owned(), ..entry }
        })
        .collect();
    let is_admin = session.is_admin();
    for (tab, label, _) in settings_tabs::TABS.into_iter().filter(|(.., admins)| is_admin || !admins) {
        let path = format!("/settings?tab={tab}");
        let entry = entry(common::pages(), Glyph::Key, label(), texts::settings(), PaletteAction::Navigate(path));
        entries.push(PaletteEntry { search_terms: synonyms(tab).to_owned(), ..entry });
    }
    let playground = go_to("/api-reference?tab=playground");
    entries.push(entry(common::pages(), Glyph::Code, texts::playground(), texts::api(), playground));
    // The first member is true if the user may do it.
    let can_write = session.can_write();
    let actions = [
        (can_write, Glyph::Plus, common::create_lead(), texts::leads(), "/leads/new"),
        (can_write, Glyph::Plus, campaigns::create_campaign(), texts::campaigns(), "/campaigns/new"),
        (can_write, Glyph::Upload, common::import_file(), texts::import_file_note(), "/imports"),
        (can_write, Glyph::Send, texts::send_calls(), texts::send_calls_note(), "/calls"),
        (can_write, Glyph::Plus, settings::create_status(), texts::settings(), "/settings?tab=statuses"),
        (is_admin, Glyph::Plus, settings::create_user(), texts::settings(), "/settings?tab=users"),
        (is_admin, Glyph::Plus, settings::create_key(), texts::settings(), "/settings?tab=keys"),
        (is_admin, Glyph::Plus, settings::create_token(), texts::settings(), "/settings?tab=tokens"),
        (true, Glyph::Key, settings::change_password(), settings::your_account(), "/settings?tab=account"),
    ];
    for (_, glyph, label, note, path) in actions.into_iter().filter(|(is_permitted, ..)| *is_permitted) {
        entries.push(entry(common::actions(), glyph, label, note, go_to(path)));
    }
    for (theme, label) in
        [(Theme::Light, texts::light()), (Theme::Dark, texts::dark()), (Theme::System, texts::system())]
    {
        entries.push(entry(common::actions(), Glyph::Wand, label, "", PaletteAction::SetTheme(theme)));
    }
    for other in Language::ALL.into_iter().filter(|other| *other != own_language) {
        let synonyms = match other {
            Language::English => texts::also_english(),
            Language::German => texts::also_german(),
        };
        let entry =
            entry(common::actions(), Glyph::Wand, other.label(), texts::language(), PaletteAction::SetLanguage(other));
        entries.push(PaletteEntry { search_terms: synonyms.to_owned(), ..entry });
    }
    let keys = entry(common::actions(), Glyph::Keyboard, texts::keys(), "", PaletteAction::ShowShortcuts);
    entries.push(PaletteEntry { shortcut: "?".to_owned(), ..keys });
    entries.push(entry(common::actions(), Glyph::LogOut, texts::log_out(), "", PaletteAction::LogOut));
    entries
}

/// Synonyms for the content of a page or settings tab.
fn synonyms(page: &str) -> &'static str {
    match page {
        "/leads" => texts::also_leads(),
        "/campaigns" => texts::also_campaigns(),
        "/transcripts" => texts::also_transcripts(),
        "tokens" => texts::also_tokens(),
        "keys" => texts::also_keys(),
        _ => "",
    }
}

fn view_entry(view: &SavedView) -> PaletteEntry {
    PaletteEntry::link(leads_texts::views(), Glyph::Bookmark, &view.name, texts::leads(), view_href(view))
}

fn campaign_entry(campaign: &Campaign) -> PaletteEntry {
    let state = if campaign.active { campaigns::active() } else { campaigns::inactive() };
    let path = format!("/campaigns/{}", campaign.id);
    PaletteEntry::link(texts::campaigns(), Glyph::Campaigns, &campaign.name, state, path)
}

/// Entries of the items with the typed id.
fn entries_by_id(input: &str, items: Option<&ItemsById>) -> Vec<PaletteEntry> {
    let (Some(id), Some(items)) = (parse_id(input), items) else { return Vec::new() };
    let entry = |page: &str, label: String, glyph, note: String| {
        PaletteEntry::link(texts::by_id(), glyph, label, note, format!("/{page}/{id}"))
    };
    let lead = items.lead.clone().map(|name| entry("leads", common::lead_number(id), Glyph::Leads, name));
    let call = items.call.clone().map(|numbers| entry("calls", common::call_number(id), Glyph::Calls, numbers));
    let delivery =
        items.has_delivery.then(|| entry("deliveries", common::delivery_number(id), Glyph::Deliveries, String::new()));
    let candidates = [(LEAD_KEYWORDS, lead), (CALL_KEYWORDS, call), (DELIVERY_KEYWORDS, delivery)];
    let requested_keywords = candidates.iter().map(|(kind, _)| *kind).find(|kind| has_keyword(input, kind));
    let matching = candidates
        .into_iter()
        .filter(|(kind, _)| requested_keywords.is_none_or(|requested_keywords| requested_keywords == *kind));
    matching.filter_map(|(_, entry)| entry).collect()
}

/// Entries of the matching leads, and of the list that shows all of them.
fn lead_entries(input: &str, results: &SearchResults) -> Vec<PaletteEntry> {
    let entry = |lead: &Lead| {
        let phone = lead.phone_normalized.as_deref().or(lead.phone.as_deref()).map(number_format::format_phone);
        let note_parts = [Some(format!("#{}", lead.id)), lead.city.clone(), phone];
        let note = note_parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        PaletteEntry::link(texts::leads(), Glyph::Leads, lead_name(lead), note, format!("/leads/{}", lead.id))
    };
    let all_results_entry = (results.total > results.leads.len() as u64).then(|| {
        let path = format!("/leads{}", query_string(&[("search", strip_keyword(input).trim())]));
        PaletteEntry::link(texts::leads(), Glyph::Search, texts::all_leads_found(results.total), "", path)
    });
    results.leads.iter().map(entry).chain(all_results_entry).collect()
}

/// Entries that search lists for the typed text.
fn search_entries(input: &str) -> Vec<PaletteEntry> {
    let entry = |glyph, label: String, path: String| PaletteEntry {
        is_search: true,
        ..PaletteEntry::link(common::search(), glyph, label, "", path)
    };
    let in_calls = format!("/calls{}", query_string(&[("search", input)]));
    let in_transcripts = format!("/transcripts{}", query_string(&[("search", input)]));
    vec![
        entry(Glyph::Transcripts, texts::transcripts_containing(input), in_transcripts),
        entry(Glyph::Calls, texts::calls_with(input), in_calls),
    ]
}

#[cfg(test)]
mod tests {
    use crate::features::shell::palette::dialogs::contents::*;

    #[test]
    fn offers_items_with_the_typed_id() {
        let items = ItemsById { lead: Some("Ann Lee".to_owned()), ..ItemsById::default() };
        let entries = entries_by_id("#17", Some(&items));
        assert_eq!(entries.iter().map(|entry| &*entry.label).collect::<Vec<_>>(), ["Lead 17"]);
        assert!(entries_by_id("#17", None).is_empty() && entries_by_id("17", Some(&ItemsById::default())).is_empty());
        let items = ItemsById { call: Some("+49 30 1".to_owned()), has_delivery: true, ..items };
        let labels =
            |input: &str| entries_by_id(input, Some(&items)).into_iter().map(|entry| entry.label).collect::<Vec<_>>();
        assert_eq!(labels("17"), ["Lead 17", "Call 17", "Delivery 17"]);
        assert_eq!(
            (labels("Call 17"), labels("Zustellung #17")),
            (vec!["Call 17".to_owned()], vec!["Delivery 17".to_owned()])
        );
    }
}
