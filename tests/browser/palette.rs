//! Command palette and global keyboard shortcuts.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;

const INPUT: &str = "[data-test=palette-input]";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn palette_navigates_by_keyboard() {
    journey("palette", async |page, server| {
        let lead = json!({ "first_name": "Zebulon", "last_name": "Quartermain", "city": "Bonn" });
        let lead = server.admin().create("/api/leads", lead).await;
        log_in(page, server, Role::Admin, "/leads").await;
        page.see("[data-test=lead-row]").await;

        open(page).await;
        page.press("audit").await;
        page.press(&Key::Enter).await;
        page.is_at("/settings?tab=audit").await;
        page.see_gone(INPUT).await;

        // Words of a lead in any order. Enter waits for the result.
        open(page).await;
        page.press("bonn quarter").await;
        page.press(&Key::Enter).await;
        page.is_at(&format!("/leads/{lead}")).await;

        // Actions of the page come before other pages.
        page.see("[data-test=edit-lead]").await;
        open(page).await;
        let offered = page.texts("[data-test=palette-option]").await;
        let place = |label: &str| offered.iter().position(|entry| entry.starts_with(label));
        assert!(place("Edit").is_some() && place("Edit") < place("Today"), "{offered:?}");
        page.press(&Key::Escape).await;

        open(page).await;
        page.press("148").await;
        comes_first(page, "Lead 148").await;
        page.press(&Key::Down).await;
        assert!(chosen(page).await.starts_with("Call 148"), "{}", chosen(page).await);
        page.press(&Key::Enter).await;
        page.is_at("/calls/148").await;

        for own_words in ["new api key", "create api key"] {
            open(page).await;
            page.press(own_words).await;
            comes_first(page, "Create API key").await;
            page.press(&Key::Escape).await;
        }

        // A number without a match isn't offered.
        open(page).await;
        page.press("999999").await;
        page.until("it was looked for", async || (!searching(page).await).then_some(())).await;
        let offered = page.texts("[data-test=palette-option]").await;
        assert!(
            offered.iter().all(|entry| entry.starts_with("Transcripts") || entry.starts_with("Calls")),
            "{offered:?}"
        );
        page.press(&Key::Escape).await;

        open(page).await;
        page.press("dark").await;
        page.press(&Key::Enter).await;
        page.see(":root[data-theme=dark]").await;

        open(page).await;
        page.press("no such thing at all").await;
        page.press(&Key::Up).await;
        assert!(
            chosen(page).await.starts_with("Calls with"),
            "above the first stands the last: {}",
            chosen(page).await
        );
        page.press(&Key::Escape).await;
        page.see_gone(INPUT).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn palette_ignores_accents_and_knows_both_languages() {
    journey("palette_spelling", async |page, server| {
        let admin = server.admin();
        let lead = admin.create("/api/leads", json!({ "first_name": "Jürgen", "last_name": "Ümüller" })).await;
        let campaign = admin.create("/api/campaigns", json!({ "name": "Grüne Häuser" })).await;
        log_in(page, server, Role::Manager, "/leads").await;
        page.see("[data-test=lead-row]").await;
        for typed in ["umuller jurgen", "juergen uemueller", "lead ümüller", "ümüller"] {
            open(page).await;
            page.press(typed).await;
            comes_first(page, "Jürgen Ümüller").await;
            page.press(&Key::Escape).await;
        }
        admin
            .create("/api/leads", json!({ "first_name": "Łukasz", "last_name": "Groß", "phone": "+49 40 98765432" }))
            .await;
        for typed in ["lukasz gros", "040 98765432", "(0 40) 987-654", "004940987"] {
            open(page).await;
            page.press(typed).await;
            comes_first(page, "Łukasz Groß").await;
            page.press(&Key::Escape).await;
        }
        // After the first few results, an entry leads to all of them.
        for number in 0..7 {
            admin.create("/api/leads", json!({ "first_name": "Zoë", "last_name": format!("Quux {number}") })).await;
        }
        open(page).await;
        page.press("quux zoe").await;
        let offered = async || page.texts("[data-test=palette-option]").await;
        let has_all = async || offered().await.iter().any(|one| one.contains("All 7 matching leads"));
        page.until_equal("the way to all is offered", true, has_all).await;
        let place = offered().await.iter().position(|one| one.contains("All 7 matching leads")).unwrap();
        page.press(&Key::Down.to_string().repeat(place)).await;
        page.press(&Key::Enter).await;
        page.shows("[data-test=total]", "7 leads").await;

        open(page).await;
        page.press("campaign gruene haus").await;
        comes_first(page, "Grüne Häuser").await;
        page.press(&Key::Enter).await;
        page.is_at(&format!("/campaigns/{campaign}")).await;
        open(page).await;
        page.press("jurgen umuller").await;
        page.press(&Key::Enter).await;
        page.is_at(&format!("/leads/{lead}")).await;

        open(page).await;
        page.press("dunkel").await;
        comes_first(page, "Dark theme").await;
        page.press(&Key::Enter).await;
        page.see(":root[data-theme=dark]").await;

        open(page).await;
        page.press("german").await;
        comes_first(page, "Deutsch").await;
        page.press(&Key::Enter).await;
        page.see("html[lang=de]").await;
        let german = [
            ("dunkel", "Dunkle Darstellung"),
            ("light theme", "Helle Darstellung"),
            ("freeze", "Leads"),
            ("zuweisen", "Leads"),
        ];
        for (typed, label) in german {
            open(page).await;
            page.press(typed).await;
            comes_first(page, label).await;
            page.press(&Key::Escape).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_view_is_listed_once() {
    journey("palette_views", async |page, server| {
        let view = json!({ "name": "Quux in Bonn", "filter": r#"{"city":"Bonn","limit":"50;0"}"#, "shared": true });
        let view = server.staff("admin").await.create("/api/views", view).await;
        log_in(page, server, Role::Manager, &format!("/leads?view={view}")).await;
        page.shows("[data-test=view-name]", "Quux in Bonn").await;
        open(page).await;
        let offered = async || page.texts("[data-test=palette-option]").await;
        let has_it = async || offered().await.iter().any(|one| one.contains("Quux in Bonn"));
        page.until_equal("the view is offered", true, has_it).await;
        let offered = offered().await;
        assert_eq!(offered.iter().filter(|one| one.contains("Quux in Bonn")).count(), 1, "{offered:?}");
        // The menu with the view's name can still be opened from here.
        page.press("views").await;
        comes_first(page, "Views").await;
        page.press(&Key::Enter).await;
        page.see("[data-test=views] [data-test=view-none]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn palette_handles_fast_typing() {
    journey("palette_fast", async |page, server| {
        let lead = server.admin().create("/api/leads", json!({ "first_name": "Zebulon" })).await;
        log_in(page, server, Role::Admin, "/leads").await;
        page.see("[data-test=lead-row]").await;

        // A dialog's close event comes late; the palette may have been opened again.
        for closing in ["Escape", "Enter"] {
            open(page).await;
            page.press("audit").await;
            comes_first(page, "Audit log").await;
            let script = "const [closing, done] = arguments;
                const turns = async () => { for (let turn = 0; turn < 50; turn++) await null };
                const press = (key, more) => document.activeElement.dispatchEvent(
                    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
                const dialog = document.querySelector('[data-test=palette]');
                press(closing);
                turns().then(async () => {
                    const wasOpen = dialog.open;
                    press('k', { ctrlKey: true });
                    await turns();
                    setTimeout(() => done([wasOpen, dialog.open]), 200);
                });";
            let states = page.run_async(script, vec![json!(closing)]).await;
            assert_eq!(states, json!([false, true]), "{closing}");
            page.press(&Key::Escape).await;
            page.see_gone(INPUT).await;
        }

        // The selection is kept when results appear above it.
        open(page).await;
        page.press("zebulo").await;
        let slow = json!({ "offline": false, "latency": 1_000, "downloadThroughput": -1, "uploadThroughput": -1 });
        page.command("Network.emulateNetworkConditions", slow).await;
        page.press("n").await;
        comes_first(page, "Transcripts").await;
        page.press(&Key::Down).await;
        assert!(chosen(page).await.starts_with("Calls with"), "{}", chosen(page).await);
        comes_first(page, "Zebulon").await;
        assert!(chosen(page).await.starts_with("Calls with"), "{}", chosen(page).await);
        page.press(&Key::Up).await;
        page.press(&Key::Up).await;
        page.press(&Key::Enter).await;
        page.is_at(&format!("/leads/{lead}")).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shortcuts_open_pages_and_are_listed() {
    journey("shortcuts", async |page, server| {
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.press("g").await;
        page.press("c").await;
        page.is_at("/calls").await;
        page.see("[data-test=call-row]").await;
        page.press("?").await;
        page.see("[data-test=shortcuts] dl").await;
        let told = page.texts("[data-test=shortcuts] dd").await;
        for deed in ["Transcripts", "Previous or next row"] {
            assert!(told.contains(&deed.to_owned()), "{told:?}");
        }
        page.press(&Key::Escape).await;
        page.see_gone("[data-test=shortcuts]").await;

        // In inputs, letters aren't shortcuts.
        page.fill("[data-test=call-search]", "g").await;
        page.press("l?").await;
        page.is_at("/calls?search=gl%3F").await;
        assert!(!page.sees("[data-test=shortcuts]").await);
        // The shortcut of the palette works in inputs too.
        open(page).await;
        assert_eq!(
            page.texts("[data-test=palette-option]").await.iter().filter(|text| text.contains("API key")).count(),
            0
        );
    })
    .await;
}

/// Opens the palette, and checks that it has the focus and announces the selection to screen readers.
async fn open(page: &Page) {
    page.press(&(Key::Control + "k")).await;
    page.see(INPUT).await;
    let script = "const input = document.activeElement;
        const option = document.getElementById(input.getAttribute('aria-activedescendant'));
        return input.matches(arguments[0]) && input.getAttribute('role') === 'combobox'
            && document.getElementById(input.getAttribute('aria-controls')).contains(option)
            && option.getAttribute('aria-selected') === 'true'";
    page.until("the palette is ready", async || (page.run(script, INPUT).await == json!(true)).then_some(())).await;
}

/// Waits until the first entry starts with this label.
async fn comes_first(page: &Page, label: &str) {
    let is_first = async || {
        let first = page.texts("[data-test=palette-option]").await.into_iter().next()?;
        first.starts_with(label).then_some(())
    };
    page.until(&format!("{label} comes first"), is_first).await;
}

/// True while the search is running.
async fn searching(page: &Page) -> bool {
    page.run(
        "return document.querySelector('[data-test=palette-input]').getAttribute('aria-busy') === 'true'",
        Value::Null,
    )
    .await
        == json!(true)
}

/// Returns the selected entry.
async fn chosen(page: &Page) -> String {
    let script = "return document.querySelector('[data-test=palette-option][aria-selected=true]')?.innerText ?? ''";
    page.run(script, Value::Null).await.as_str().unwrap_or_default().trim().to_owned()
}
