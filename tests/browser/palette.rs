//! Command palette and global keyboard shortcuts.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;

const PALETTE_INPUT: &str = "[data-test=palette-input]";

journey!(palette_navigates_by_keyboard, async |page, server| {
    let lead = json!({ "first_name": "Zebulon", "last_name": "Quartermain", "city": "Bonn" });
    let lead = server.admin().create("/api/leads", lead).await;
    log_in(page, server, Role::Admin, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;

    open_palette(page).await;
    page.type_keys("audit").await;
    page.type_keys(&Key::Enter).await;
    page.expect_location("/settings?tab=audit").await;
    page.wait_until_gone(PALETTE_INPUT).await;

    // Words of a lead in any order. Enter waits for the result.
    open_palette(page).await;
    page.type_keys("bonn quarter").await;
    page.type_keys(&Key::Enter).await;
    page.expect_location(&format!("/leads/{lead}")).await;

    // Actions of the page come before other pages.
    page.wait_for("[data-test=edit-lead]").await;
    open_palette(page).await;
    let entries = page.texts("[data-test=palette-option]").await;
    let position = |label: &str| entries.iter().position(|entry| entry.starts_with(label));
    assert!(position("Edit").is_some() && position("Edit") < position("Today"), "{entries:?}");
    page.type_keys(&Key::Escape).await;

    open_palette(page).await;
    page.type_keys("148").await;
    expect_first_entry(page, "Lead 148").await;
    page.type_keys(&Key::Down).await;
    assert!(selected_entry(page).await.starts_with("Call 148"), "{}", selected_entry(page).await);
    page.type_keys(&Key::Enter).await;
    page.expect_location("/calls/148").await;

    for query in ["new api key", "create api key"] {
        open_palette(page).await;
        page.type_keys(query).await;
        expect_first_entry(page, "Create API key").await;
        page.type_keys(&Key::Escape).await;
    }

    // A number without a match isn't offered.
    open_palette(page).await;
    page.type_keys("999999").await;
    page.wait_until("the search was sent", async || (!is_searching(page).await).then_some(())).await;
    let entries = page.texts("[data-test=palette-option]").await;
    assert!(entries.iter().all(|entry| entry.starts_with("Transcripts") || entry.starts_with("Calls")), "{entries:?}");
    page.type_keys(&Key::Escape).await;

    open_palette(page).await;
    page.type_keys("dark").await;
    page.type_keys(&Key::Enter).await;
    page.wait_for(":root[data-theme=dark]").await;

    open_palette(page).await;
    page.type_keys("no such thing at all").await;
    page.type_keys(&Key::Up).await;
    assert!(
        selected_entry(page).await.starts_with("Calls with"),
        "ArrowUp on the first entry selects the last: {}",
        selected_entry(page).await
    );
    page.type_keys(&Key::Escape).await;
    page.wait_until_gone(PALETTE_INPUT).await;
});

journey!(palette_ignores_accents_and_knows_both_languages, async |page, server| {
    let admin = server.admin();
    let lead = admin.create("/api/leads", json!({ "first_name": "Jürgen", "last_name": "Ümüller" })).await;
    let campaign = admin.create("/api/campaigns", json!({ "name": "Grüne Häuser" })).await;
    log_in(page, server, Role::Manager, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    for query in ["umuller jurgen", "juergen uemueller", "lead ümüller", "ümüller"] {
        open_palette(page).await;
        page.type_keys(query).await;
        expect_first_entry(page, "Jürgen Ümüller").await;
        page.type_keys(&Key::Escape).await;
    }
    admin
        .create("/api/leads", json!({ "first_name": "Łukasz", "last_name": "Groß", "phone": "+49 40 98765432" }))
        .await;
    for query in ["lukasz gros", "040 98765432", "(0 40) 987-654", "004940987"] {
        open_palette(page).await;
        page.type_keys(query).await;
        expect_first_entry(page, "Łukasz Groß").await;
        page.type_keys(&Key::Escape).await;
    }
    // After the first few results, an entry leads to all of them.
    for number in 0..7 {
        admin.create("/api/leads", json!({ "first_name": "Zoë", "last_name": format!("Quux {number}") })).await;
    }
    open_palette(page).await;
    page.type_keys("quux zoe").await;
    let entry_texts = async || page.texts("[data-test=palette-option]").await;
    let offers_all_matches = async || entry_texts().await.iter().any(|entry| entry.contains("All 7 matching leads"));
    page.wait_until_equal("the link to all results is offered", true, offers_all_matches).await;
    let position = entry_texts().await.iter().position(|entry| entry.contains("All 7 matching leads")).unwrap();
    page.type_keys(&Key::Down.to_string().repeat(position)).await;
    page.type_keys(&Key::Enter).await;
    page.expect_text("[data-test=total]", "7 leads").await;

    open_palette(page).await;
    page.type_keys("campaign gruene haus").await;
    expect_first_entry(page, "Grüne Häuser").await;
    page.type_keys(&Key::Enter).await;
    page.expect_location(&format!("/campaigns/{campaign}")).await;
    open_palette(page).await;
    page.type_keys("jurgen umuller").await;
    page.type_keys(&Key::Enter).await;
    page.expect_location(&format!("/leads/{lead}")).await;

    open_palette(page).await;
    page.type_keys("dunkel").await;
    expect_first_entry(page, "Dark theme").await;
    page.type_keys(&Key::Enter).await;
    page.wait_for(":root[data-theme=dark]").await;

    open_palette(page).await;
    page.type_keys("german").await;
    expect_first_entry(page, "Deutsch").await;
    page.type_keys(&Key::Enter).await;
    page.wait_for("html[lang=de]").await;
    let german_queries = [
        ("dunkel", "Dunkle Darstellung"),
        ("light theme", "Helle Darstellung"),
        ("freeze", "Leads"),
        ("zuweisen", "Leads"),
    ];
    for (query, label) in german_queries {
        open_palette(page).await;
        page.type_keys(query).await;
        expect_first_entry(page, label).await;
        page.type_keys(&Key::Escape).await;
    }
});

journey!(open_view_is_listed_once, async |page, server| {
    let view = json!({ "name": "Quux in Bonn", "filter": r#"{"city":"Bonn","limit":"50;0"}"#, "shared": true });
    let view = server.logged_in_client("admin").await.create("/api/views", view).await;
    log_in(page, server, Role::Manager, &format!("/leads?view={view}")).await;
    page.expect_text("[data-test=view-name]", "Quux in Bonn").await;
    open_palette(page).await;
    let entry_texts = async || page.texts("[data-test=palette-option]").await;
    let offers_view = async || entry_texts().await.iter().any(|entry| entry.contains("Quux in Bonn"));
    page.wait_until_equal("the view is offered", true, offers_view).await;
    let entry_texts = entry_texts().await;
    assert_eq!(entry_texts.iter().filter(|entry| entry.contains("Quux in Bonn")).count(), 1, "{entry_texts:?}");
    // The menu with the view's name can still be opened from here.
    page.type_keys("views").await;
    expect_first_entry(page, "Views").await;
    page.type_keys(&Key::Enter).await;
    page.wait_for("[data-test=views] [data-test=view-none]").await;
});

journey!(palette_handles_fast_typing, async |page, server| {
    let lead = server.admin().create("/api/leads", json!({ "first_name": "Zebulon" })).await;
    log_in(page, server, Role::Admin, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;

    // A dialog's close event comes late; the palette may have been opened again.
    for closing_key in ["Escape", "Enter"] {
        open_palette(page).await;
        page.type_keys("audit").await;
        expect_first_entry(page, "Audit log").await;
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
        let states = page.run_async_script(script, vec![json!(closing_key)]).await;
        assert_eq!(states, json!([false, true]), "{closing_key}");
        page.type_keys(&Key::Escape).await;
        page.wait_until_gone(PALETTE_INPUT).await;
    }

    // The selection is kept when results appear above it.
    open_palette(page).await;
    page.type_keys("zebulo").await;
    let network_conditions =
        json!({ "offline": false, "latency": 1_000, "downloadThroughput": -1, "uploadThroughput": -1 });
    page.devtools_command("Network.emulateNetworkConditions", network_conditions).await;
    page.type_keys("n").await;
    expect_first_entry(page, "Transcripts").await;
    page.type_keys(&Key::Down).await;
    assert!(selected_entry(page).await.starts_with("Calls with"), "{}", selected_entry(page).await);
    expect_first_entry(page, "Zebulon").await;
    assert!(selected_entry(page).await.starts_with("Calls with"), "{}", selected_entry(page).await);
    page.type_keys(&Key::Up).await;
    page.type_keys(&Key::Up).await;
    page.type_keys(&Key::Enter).await;
    page.expect_location(&format!("/leads/{lead}")).await;
});

journey!(shortcuts_open_pages_and_are_listed, async |page, server| {
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.type_keys("g").await;
    page.type_keys("c").await;
    page.expect_location("/calls").await;
    page.wait_for("[data-test=call-row]").await;
    page.type_keys("?").await;
    page.wait_for("[data-test=shortcuts] dl").await;
    let descriptions = page.texts("[data-test=shortcuts] dd").await;
    for expected_description in ["Transcripts", "Previous or next row"] {
        assert!(descriptions.contains(&expected_description.to_owned()), "{descriptions:?}");
    }
    page.type_keys(&Key::Escape).await;
    page.wait_until_gone("[data-test=shortcuts]").await;

    // In inputs, letters aren't shortcuts.
    page.fill("[data-test=call-search]", "g").await;
    page.type_keys("l?").await;
    page.expect_location("/calls?search=gl%3F").await;
    assert!(!page.is_visible("[data-test=shortcuts]").await);
    // The shortcut of the palette works in inputs too.
    open_palette(page).await;
    assert_eq!(
        page.texts("[data-test=palette-option]").await.iter().filter(|text| text.contains("API key")).count(),
        0
    );
});

/// Opens the palette, and checks that it has the focus and announces the selection to screen readers.
async fn open_palette(page: &Page) {
    page.type_keys(&(Key::Control + "k")).await;
    page.wait_for(PALETTE_INPUT).await;
    let script = "const input = document.activeElement;
        const option = document.getElementById(input.getAttribute('aria-activedescendant'));
        return input.matches(arguments[0]) && input.getAttribute('role') === 'combobox'
            && document.getElementById(input.getAttribute('aria-controls')).contains(option)
            && option.getAttribute('aria-selected') === 'true'";
    page.wait_until("the palette is ready", async || {
        (page.run_script(script, PALETTE_INPUT).await == json!(true)).then_some(())
    })
    .await;
}

/// Waits until the first entry starts with this label.
async fn expect_first_entry(page: &Page, label: &str) {
    let starts_with_label = async || {
        let first = page.texts("[data-test=palette-option]").await.into_iter().next()?;
        first.starts_with(label).then_some(())
    };
    page.wait_until(&format!("{label} comes first"), starts_with_label).await;
}

/// True while the search is running.
async fn is_searching(page: &Page) -> bool {
    page.run_script(
        "return document.querySelector('[data-test=palette-input]').getAttribute('aria-busy') === 'true'",
        Value::Null,
    )
    .await
        == json!(true)
}

async fn selected_entry(page: &Page) -> String {
    let script = "return document.querySelector('[data-test=palette-option][aria-selected=true]')?.innerText ?? ''";
    page.run_script(script, Value::Null).await.as_str().unwrap_or_default().trim().to_owned()
}
