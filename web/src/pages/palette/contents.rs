//! Content of the command palette: pages, actions, campaigns, leads, items by number, and the list of shortcuts.

use std::time::Duration;

use leadscribe_engine::api::{Campaign, Lead, Page, SavedView};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;

use super::finding::{self, Found, Numbered};
use super::page_deeds::PageDeeds;
use crate::api::use_api;
use crate::components::icon::Glyph;
use crate::components::lead::table::lead_name;
use crate::components::list::view_menu::address_of;
use crate::components::shell::PLACES;
use crate::components::shell::palette::{Deed, Entry, PaletteDialog, use_palette};
use crate::components::shell::shortcuts::Shortcuts;
use crate::figures;
use crate::keys::way_to;
use crate::language::{self, Language};
use crate::lead_search::{CALLS, DELIVERIES, LEADS, id, is_of, without_kind};
use crate::log_out::LogOut;
use crate::pages::settings;
use crate::query::query_string;
use crate::remote::Remote;
use crate::session::{Session, use_session};
use crate::spelling::Sought;
use crate::texts::{campaigns, leads as leads_texts, palette as texts, shell};
use crate::theme::{Theme, use_theme};

/// Debounce delay of the lead search.
const PAUSE: Duration = Duration::from_millis(150);

/// Minimum number of characters. Fewer match too many leads.
const LEAST: usize = 2;

/// Maximum number of campaigns to show.
const MOST_CAMPAIGNS: usize = 6;

/// Command palette and list of shortcuts; each is shown when its signal is set.
pub fn palette_dialogs(go: Callback<String>) -> AnyView {
    let (api, session, palette, log_out) = (use_api(), use_session(), use_palette(), LogOut::new());
    let chosen_theme = use_theme();
    let found = Remote::<Found>::new();
    let (views, campaigns) = (Remote::<Page<SavedView>>::new(), Remote::<Page<Campaign>>::new());
    Effect::new(move |_| {
        if palette.open.get() {
            views.load(api.views());
            campaigns.load(api.campaigns());
        }
    });
    let (timer, is_awaited) = (StoredValue::new(None::<TimeoutHandle>), RwSignal::new(false));
    Effect::new(move |_| {
        let typed = palette.typed.get();
        if let Some(timer) = timer.get_value() {
            timer.clear();
        }
        found.clear();
        let is_enough = typed.trim().chars().count() >= LEAST || id(&typed).is_some();
        is_awaited.set(is_enough);
        if is_enough {
            let search = move || {
                is_awaited.set(false);
                found.load(finding::find(api, typed.clone()));
            };
            timer.set_value(set_timeout_with_handle(search, PAUSE).ok());
        }
    });
    let page_deeds = PageDeeds::new();
    let here = Memo::new(move |_| palette.open.get().then(|| [page_deeds.look(), fixed(session)].concat()));
    let entries = Memo::new(move |_| {
        let Some(mut fixed) = here.get() else { return Vec::new() };
        let typed = palette.typed.get();
        let sought = Sought::new(&typed);
        let mut entries = found.with(|found| by_id(&typed, found.map(|found| &found.numbered)));
        fixed.retain(|entry| entry.matches(&sought));
        entries.append(&mut fixed);
        let saved = views.with(|page| page.map(|page| page.items.iter().map(saved_view).collect::<Vec<_>>()));
        entries.extend(saved.into_iter().flatten().filter(|entry| entry.matches(&sought)));
        if !typed.trim().is_empty() {
            let named = |campaign: &&Campaign| sought.names(shell::campaigns(), &campaign.name);
            campaigns.with(|page| {
                let found = page.into_iter().flat_map(|page| page.items.iter()).filter(named).take(MOST_CAMPAIGNS);
                entries.extend(found.map(campaign));
            });
            entries.extend(found.with(|found| found.map(|found| leads(&typed, found)).unwrap_or_default()));
            entries.extend(searches(typed.trim()));
        }
        entries
    });

    let on_choose = Callback::new(move |deed: Deed| match deed {
        Deed::Go(place) => go.run(place),
        Deed::SetTheme(theme) => chosen_theme.set(theme),
        Deed::Speak(language) => language::choose(language),
        Deed::ShowKeys => palette.keys.set(true),
        Deed::Press(place) => page_deeds.press(place),
        Deed::LogOut => log_out.ask(),
    });
    let pages = PLACES.iter().map(|(page, name, _)| (*page, name())).collect::<Vec<_>>();
    view! {
        <PaletteDialog entries searching=Signal::derive(move || is_awaited.get() || found.is_loading()) on_choose />
        <Shortcuts open=palette.keys pages />
    }
    .into_any()
}

/// Entries that don't depend on a search: pages, settings and actions. They can be found in every language.
fn fixed(session: Session) -> Vec<Entry> {
    let own = language::language();
    let mut all = said(session, own);
    for other in Language::ALL.into_iter().filter(|other| *other != own) {
        let others = language::said_in(other, || said(session, own));
        all.iter_mut()
            .zip(others)
            .for_each(|(entry, other)| entry.also += &format!("\n{}\n{}", other.told(), other.also));
    }
    all
}

/// The same entries in the current language; `own` is the panel's language.
fn said(session: Session, own: Language) -> Vec<Entry> {
    let entry = |group, glyph, label: &str, note: &str, deed| {
        let entry = Entry::new(group, glyph, label, note, deed);
        // The buttons of the pages say "new" where the palette says "add" or "create".
        let also = if glyph == Glyph::Plus { format!("{} {}", texts::new_one(), entry.told()) } else { String::new() };
        Entry { also, ..entry }
    };
    let go = |place: &str| Deed::Go(place.to_owned());
    let mut all: Vec<_> = PLACES
        .iter()
        .map(|(page, name, glyph)| {
            let entry = entry(texts::pages(), *glyph, name(), "", go(page));
            Entry { keys: way_to(page), also: also(page).to_owned(), ..entry }
        })
        .collect();
    let is_admin = session.is_admin();
    for (tab, label, _) in settings::TABS.into_iter().filter(|(.., admins)| is_admin || !admins) {
        let place = format!("/settings?tab={tab}");
        let entry = entry(texts::pages(), Glyph::Access, label(), shell::settings(), Deed::Go(place));
        all.push(Entry { also: also(tab).to_owned(), ..entry });
    }
    all.push(entry(
        texts::pages(),
        Glyph::Code,
        texts::playground(),
        shell::api(),
        go("/api-reference?tab=playground"),
    ));
    if session.may_write() {
        all.push(entry(texts::deeds(), Glyph::Plus, texts::add_lead(), shell::leads(), go("/leads/new")));
        all.push(entry(
            texts::deeds(),
            Glyph::Plus,
            texts::create_campaign(),
            shell::campaigns(),
            go("/campaigns/new"),
        ));
        all.push(entry(texts::deeds(), Glyph::Upload, texts::import_file(), texts::import_file_note(), go("/imports")));
        all.push(entry(texts::deeds(), Glyph::Send, texts::send_calls(), texts::send_calls_note(), go("/calls")));
        all.push(entry(
            texts::deeds(),
            Glyph::Plus,
            texts::add_status(),
            shell::settings(),
            go("/settings?tab=statuses"),
        ));
    }
    if is_admin {
        all.push(entry(texts::deeds(), Glyph::Plus, texts::add_user(), shell::settings(), go("/settings?tab=users")));
        all.push(entry(texts::deeds(), Glyph::Plus, texts::create_key(), shell::settings(), go("/settings?tab=keys")));
        all.push(entry(
            texts::deeds(),
            Glyph::Plus,
            texts::create_token(),
            shell::settings(),
            go("/settings?tab=tokens"),
        ));
    }
    all.push(entry(
        texts::deeds(),
        Glyph::Key,
        texts::change_password(),
        texts::your_account(),
        go("/settings?tab=account"),
    ));
    for (theme, label) in
        [(Theme::Light, texts::light()), (Theme::Dark, texts::dark()), (Theme::System, texts::system())]
    {
        all.push(entry(texts::deeds(), Glyph::Wand, label, "", Deed::SetTheme(theme)));
    }
    for other in Language::ALL.into_iter().filter(|other| *other != own) {
        let also = match other {
            Language::English => texts::also_english(),
            Language::German => texts::also_german(),
        };
        let entry = entry(texts::deeds(), Glyph::Wand, other.label(), shell::language(), Deed::Speak(other));
        all.push(Entry { also: also.to_owned(), ..entry });
    }
    let keys = entry(texts::deeds(), Glyph::Keyboard, texts::keys(), "", Deed::ShowKeys);
    all.push(Entry { keys: "?".to_owned(), ..keys });
    all.push(entry(texts::deeds(), Glyph::LogOut, shell::log_out(), "", Deed::LogOut));
    all
}

/// Synonyms for the content of a page or settings tab.
fn also(place: &str) -> &'static str {
    match place {
        "/leads" => texts::also_leads(),
        "/campaigns" => texts::also_campaigns(),
        "/transcripts" => texts::also_transcripts(),
        "tokens" => texts::also_tokens(),
        "keys" => texts::also_keys(),
        _ => "",
    }
}

/// Entry of a saved view.
fn saved_view(view: &SavedView) -> Entry {
    Entry::new(leads_texts::views(), Glyph::Bookmark, &view.name, shell::leads(), Deed::Go(address_of(view)))
}

fn campaign(campaign: &Campaign) -> Entry {
    let state = if campaign.active { campaigns::active() } else { campaigns::off() };
    let place = format!("/campaigns/{}", campaign.id);
    Entry::new(shell::campaigns(), Glyph::Campaigns, &campaign.name, state, Deed::Go(place))
}

/// Entries of the items with the typed id.
fn by_id(typed: &str, found: Option<&Numbered>) -> Vec<Entry> {
    let (Some(id), Some(found)) = (id(typed), found) else { return Vec::new() };
    let entry = |page: &str, label: String, glyph, note: String| {
        Entry::new(texts::by_id(), glyph, label, note, Deed::Go(format!("/{page}/{id}")))
    };
    let lead = found.lead.clone().map(|name| entry("leads", texts::lead(id), Glyph::Leads, name));
    let call = found.call.clone().map(|numbers| entry("calls", texts::call(id), Glyph::Calls, numbers));
    let delivery = found.delivery.then(|| entry("deliveries", texts::delivery(id), Glyph::Deliveries, String::new()));
    let all = [(LEADS, lead), (CALLS, call), (DELIVERIES, delivery)];
    let named = all.iter().map(|(kind, _)| *kind).find(|kind| is_of(typed, kind));
    let meant = all.into_iter().filter(|(kind, _)| named.is_none_or(|named| named == *kind));
    meant.filter_map(|(_, entry)| entry).collect()
}

/// Entries of the matching leads, and of the list that shows all of them.
fn leads(typed: &str, found: &Found) -> Vec<Entry> {
    let entry = |lead: &Lead| {
        let phone = lead.phone_normalized.as_deref().or(lead.phone.as_deref()).map(figures::phone);
        let facts = [Some(format!("#{}", lead.id)), lead.city.clone(), phone];
        let note = facts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        Entry::new(shell::leads(), Glyph::Leads, lead_name(lead), note, Deed::Go(format!("/leads/{}", lead.id)))
    };
    let all = (found.all > found.leads.len() as u64).then(|| {
        let place = format!("/leads{}", query_string(&[("search", without_kind(typed).trim())]));
        Entry::new(shell::leads(), Glyph::Search, texts::all_leads_found(found.all), "", Deed::Go(place))
    });
    found.leads.iter().map(entry).chain(all).collect()
}

/// Entries that search lists for the typed text.
fn searches(typed: &str) -> Vec<Entry> {
    let entry = |glyph, label: String, place: String| Entry {
        is_search: true,
        ..Entry::new(texts::search(), glyph, label, "", Deed::Go(place))
    };
    let in_calls = format!("/calls{}", query_string(&[("search", typed)]));
    let in_transcripts = format!("/transcripts{}", query_string(&[("words", typed)]));
    vec![
        entry(Glyph::Transcripts, texts::transcripts_saying(typed), in_transcripts),
        entry(Glyph::Calls, texts::calls_with(typed), in_calls),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_items_with_the_typed_id() {
        let found = Numbered { lead: Some("Ann Lee".to_owned()), ..Numbered::default() };
        let entries = by_id("#17", Some(&found));
        assert_eq!(entries.iter().map(|entry| &*entry.label).collect::<Vec<_>>(), ["Lead 17"]);
        assert!(by_id("#17", None).is_empty() && by_id("17", Some(&Numbered::default())).is_empty());
        let found = Numbered { call: Some("+49 30 1".to_owned()), delivery: true, ..found };
        let labels = |typed: &str| by_id(typed, Some(&found)).into_iter().map(|entry| entry.label).collect::<Vec<_>>();
        assert_eq!(labels("17"), ["Lead 17", "Call 17", "Delivery 17"]);
        assert_eq!(
            (labels("Call 17"), labels("Zustellung #17")),
            (vec!["Call 17".to_owned()], vec!["Delivery 17".to_owned()])
        );
    }
}
