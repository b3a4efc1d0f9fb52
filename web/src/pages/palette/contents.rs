//! What the command palette shows: what can be gone to and done, leads found by text, and the list of keys.

use std::time::Duration;

use leadscribe_engine::api::{ExtendedLeadsResponse, Page, SavedView};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;

use crate::api::use_api;
use crate::components::icon::Glyph;
use crate::components::lead_table::lead_name;
use crate::components::palette::{Deed, Entry, PaletteDialog, use_palette};
use crate::components::shell::PLACES;
use crate::components::shortcuts::Shortcuts;
use crate::components::toast::use_toasts;
use crate::components::view_menu::address_of;
use crate::figures;
use crate::keys::way_to;
use crate::language::{self, Language};
use crate::pages::settings;
use crate::query::query_string;
use crate::remote::Remote;
use crate::session::{Session, use_session};
use crate::texts::{leads as leads_texts, palette as texts, shell};
use crate::theme::{Theme, use_theme};

/// A pause in typing after which leads are searched for.
const PAUSE: Duration = Duration::from_millis(150);

/// Fewer characters find too much to be of use.
const LEAST: usize = 2;

/// The palette and the list of keys, each shown when its handle says so.
pub fn palette_dialogs(go: Callback<String>) -> AnyView {
    let (api, session, palette, toasts) = (use_api(), use_session(), use_palette(), use_toasts());
    let chosen_theme = use_theme();
    let found = Remote::<ExtendedLeadsResponse>::new();
    let views = Remote::<Page<SavedView>>::new();
    Effect::new(move |_| {
        if palette.open.get() {
            views.load(api.views());
        }
    });
    let timer = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move |_| {
        let typed = palette.typed.get();
        if let Some(timer) = timer.get_value() {
            timer.clear();
        }
        found.clear();
        if typed.trim().chars().count() >= LEAST {
            let search = move || found.load(api.leads(lead_filter(&typed)));
            timer.set_value(set_timeout_with_handle(search, PAUSE).ok());
        }
    });
    let entries = Memo::new(move |_| {
        if !palette.open.get() {
            return Vec::new();
        }
        let typed = palette.typed.get();
        let words = typed.trim().to_lowercase();
        let mut entries = by_id(&words);
        entries.extend(fixed(session).into_iter().filter(|entry| entry.matches(&words)));
        let saved = views.with(|page| page.map(|page| page.items.iter().map(saved_view).collect::<Vec<_>>()));
        entries.extend(saved.into_iter().flatten().filter(|entry| entry.matches(&words)));
        entries.extend(found.with(|found| found.map(leads).unwrap_or_default()));
        if !words.is_empty() {
            entries.extend(searches(typed.trim()));
        }
        entries
    });

    let on_choose = Callback::new(move |deed: Deed| match deed {
        Deed::Go(place) => go.run(place),
        Deed::SetTheme(theme) => chosen_theme.set(theme),
        Deed::Speak(language) => language::choose(language),
        Deed::ShowKeys => palette.keys.set(true),
        Deed::LogOut => spawn_local(async move {
            if let Err(error) = api.log_out().await {
                toasts.failed(&error);
            }
        }),
    });
    let pages = PLACES.iter().map(|(page, name, _)| (*page, name())).collect::<Vec<_>>();
    view! {
        <PaletteDialog entries searching=Signal::derive(move || found.is_loading()) on_choose />
        <Shortcuts open=palette.keys pages />
    }
    .into_any()
}

/// What is there whoever asks for what: pages, settings, deeds.
fn fixed(session: Session) -> Vec<Entry> {
    let entry = |group, glyph, label: &str, note: &str, deed| {
        let (label, note) = (label.to_owned(), note.to_owned());
        Entry { group, glyph, label, note, keys: String::new(), deed }
    };
    let go = |place: &str| Deed::Go(place.to_owned());
    let mut all: Vec<_> = PLACES
        .iter()
        .map(|(page, name, glyph)| Entry { keys: way_to(page), ..entry(texts::pages(), *glyph, name(), "", go(page)) })
        .collect();
    let is_admin = session.is_admin();
    for (tab, label, _) in settings::TABS.into_iter().filter(|(.., admins)| is_admin || !admins) {
        let place = format!("/settings?tab={tab}");
        all.push(entry(texts::pages(), Glyph::Access, label(), shell::settings(), Deed::Go(place)));
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
    for other in Language::ALL.into_iter().filter(|other| *other != language::language()) {
        all.push(entry(texts::deeds(), Glyph::Wand, other.label(), shell::language(), Deed::Speak(other)));
    }
    let keys = entry(texts::deeds(), Glyph::Keyboard, texts::keys(), "", Deed::ShowKeys);
    all.push(Entry { keys: "?".to_owned(), ..keys });
    all.push(entry(texts::deeds(), Glyph::LogOut, shell::log_out(), "", Deed::LogOut));
    all
}

/// A saved view of the list of leads.
fn saved_view(view: &SavedView) -> Entry {
    Entry {
        group: leads_texts::views(),
        glyph: Glyph::Bookmark,
        label: view.name.clone(),
        note: shell::leads().to_owned(),
        keys: String::new(),
        deed: Deed::Go(address_of(view)),
    }
}

/// What has this id, where a number was typed; `#17` is one too.
fn by_id(words: &str) -> Vec<Entry> {
    let Some(id) = words.trim_start_matches('#').parse::<i64>().ok().filter(|id| *id > 0) else { return Vec::new() };
    let places = [
        ("leads", texts::lead(id), Glyph::Leads),
        ("calls", texts::call(id), Glyph::Calls),
        ("deliveries", texts::delivery(id), Glyph::Deliveries),
    ];
    let entry = |(page, label, glyph)| Entry {
        group: texts::by_id(),
        glyph,
        label,
        note: String::new(),
        keys: String::new(),
        deed: Deed::Go(format!("/{page}/{id}")),
    };
    places.map(entry).into()
}

/// The leads that were found.
fn leads(found: &ExtendedLeadsResponse) -> Vec<Entry> {
    let entry = |lead: &leadscribe_engine::api::Lead| {
        let phone = lead.phone_normalized.as_deref().or(lead.phone.as_deref()).map(figures::phone);
        let facts = [Some(format!("#{}", lead.id)), lead.city.clone(), phone];
        Entry {
            group: shell::leads(),
            glyph: Glyph::Leads,
            label: lead_name(lead),
            note: facts.into_iter().flatten().collect::<Vec<_>>().join(" · "),
            keys: String::new(),
            deed: Deed::Go(format!("/leads/{}", lead.id)),
        }
    };
    found.leads.iter().map(|found| entry(&found.lead)).collect()
}

/// The lists that look for what was typed.
fn searches(typed: &str) -> Vec<Entry> {
    let entry = |glyph, label: String, place: String| Entry {
        group: texts::search(),
        glyph,
        label,
        note: String::new(),
        keys: String::new(),
        deed: Deed::Go(place),
    };
    let in_calls = format!("/calls{}", query_string(&[("search", typed)]));
    let in_transcripts = format!("/transcripts{}", query_string(&[("words", typed)]));
    vec![
        entry(Glyph::Transcripts, texts::transcripts_saying(typed), in_transcripts),
        entry(Glyph::Calls, texts::calls_with(typed), in_calls),
    ]
}

/// The filter that finds leads by what was typed: digits by phone, anything else by name, e-mail and town.
fn lead_filter(typed: &str) -> String {
    let typed = typed.trim();
    let is_number = typed.chars().all(|letter| letter.is_ascii_digit() || " +-()/.".contains(letter));
    if is_number {
        let digits: String = typed.chars().filter(char::is_ascii_digit).collect();
        let any = ["phone_normalized", "phone_normalized2", "phone", "phone2"]
            .map(|field| json!({ field: { "contains": digits } }));
        return json!({ "_or": any, "limit": "6;0" }).to_string();
    }
    // Each word somewhere: a first name, a last name and a town find one another. A filter is bounded; so are words.
    let word = |word: &str| {
        let any = ["first_name", "last_name", "email", "city"].map(|field| json!({ field: { "contains": word } }));
        json!({ "_or": any })
    };
    let words: Vec<_> = typed.split_whitespace().take(5).map(word).collect();
    json!({ "_and": words, "limit": "6;0" }).to_string()
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::filter::{self, Limits};

    use super::*;

    #[test]
    fn whatever_is_typed_is_looked_for_by_a_filter_that_holds() {
        for typed in
            ["ann", " Ann  Lee Bonn ", "+49 (228) 555-0142", "a@b.example", "\"x\" {", "one two three four five six"]
        {
            let text = lead_filter(typed);
            assert!(filter::read(&text, &Limits::default()).is_ok(), "{typed:?} makes {text}");
        }
        assert_eq!(by_id("#17").len(), 3);
        assert!(by_id("0").is_empty());
    }
}
