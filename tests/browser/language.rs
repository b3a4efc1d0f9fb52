//! The panel in German: chosen by somebody, or begun in it because their browser prefers it.

use leadscribe_engine::api::{Role, Timestamp};
use leadscribe_engine::time;
use leadscribe_engine::wording::Language;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_panel_speaks_german_for_as_long_as_that_is_chosen() {
    journey("german", async |page, server| {
        log_in(page, server, Role::Manager, "/").await;
        page.shows("h1", "Today").await;
        choose(page, "de").await;

        page.shows("h1", "Heute").await;
        let date = "return new Intl.DateTimeFormat('de-DE', { weekday: 'long', day: 'numeric', month: 'long' }).format()";
        let date = page.run(date, Value::Null).await;
        page.shows(".page-title .secondary", date.as_str().unwrap()).await;
        page.shows("[data-test=by-reason] h2", "Warum Leads jetzt nicht anrufbar sind").await;
        page.shows("[data-test=bar][data-key=do_not_call] a", "Nicht anrufen").await;
        page.shows("[aria-label='Anrufe pro Tag'] summary", "Die Zahlen als Tabelle").await;

        let found = server.admin().put("/api/leads/extended-data", json!({ "limit": "0;0" }).to_string()).await;
        let all = found.expect(200)["total_leads"].as_u64().unwrap();
        assert!((1_000..1_000_000).contains(&all), "a number that is written in groups is needed, not {all}");
        page.click("nav a[href='/leads']").await;
        page.until("the total is written as Germans do", async || {
            let grouped = format!("{}.{:03} ", all / 1_000, all % 1_000);
            page.text("[data-test=total]").await.starts_with(&grouped).then_some(())
        })
        .await;
        let filter = r#"{"city":{"not":"Bonn"},"email":null,
            "_or":[{"status":["new","busy"],"calls_count":"2;<"},{"purchase_date":"2026-05-01;>="}],"limit":"50;0"}"#;
        page.fill("[data-test=filter-json]", filter).await;
        page.shows(
            "[data-test=reading]",
            "Leads mit Stadt außer Bonn, falls angegeben, ohne E-Mail, \
             (entweder (mit Status new oder busy und mit Anrufzahl unter 2) oder gekauft ab dem 1. Mai 2026); höchstens 50.",
        )
        .await;

        let now = time::print(server.now());
        let filter = json!({ "freeze_until": { "gt": now }, "limit": "1;0" }).to_string();
        let found = server.admin().put("/api/leads/extended-data", filter).await.expect(200);
        let lead = &found["leads"][0];
        let until: Timestamp = lead["campaigns"][0]["freeze_until"].as_str().unwrap().parse().unwrap();
        page.open(&format!("/leads/{}", lead["id"])).await;
        page.shows("#why", "Ist der Lead anrufbar?").await;
        let reason = page.text("[data-test=reason][data-code=frozen]").await;
        let expected = format!("Gesperrt. Gesperrt bis {}. Endet in ", time::describe(until, Language::German));
        assert!(reason.starts_with(&expected), "{expected:?} should begin {reason:?}");
        let dates = "const time = document.querySelector('aside time');
            const parts = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' };
            const written = more => new Intl.DateTimeFormat('de-DE', { ...parts, ...more }).format(new Date(time.dateTime));
            return [time.textContent, [written({}), written({ year: 'numeric' })]]";
        let dates = page.run(dates, Value::Null).await;
        assert!(dates[1].as_array().unwrap().contains(&dates[0]), "a moment as Germans write it: {dates}");
        page.click("[data-test=edit-lead]").await;
        page.shows("label[for=lead-last_name]", "Nachname").await;
        page.shows("[data-test=discard]", "Abbrechen").await;

        page.click("nav a[href='/campaigns']").await;
        page.shows("h1", "Kampagnen").await;
        page.see("[data-test=campaign-row]").await;
        let heads = page.texts(".campaign-table th").await;
        let heads: Vec<_> = heads.iter().map(|head| head.to_lowercase()).collect();
        assert_eq!(heads, ["kampagne", "zustand", "fortschritt", "anrufzeiten", "versuche"]);
        page.click("[data-test=campaign]").await;
        page.shows("#effect", "Jetzt anrufbar").await;
        page.fill("[data-test=campaign-freeze]", "1530").await;
        page.shows("[data-test=unsaved]", "Nicht gespeicherte Änderungen").await;
        page.click("nav a[href='/']").await;
        page.shows("[data-test=confirm-dialog] h2", "Ohne Speichern verlassen?").await;
        page.click("[data-test=confirm]").await;

        page.shows("h1", "Heute").await;
        page.reload().await;
        speaks(page, "de").await;
        page.shows("h1", "Heute").await;
        choose(page, "en").await;
        page.shows("h1", "Today").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_german_browser_is_spoken_to_in_german_until_somebody_chooses() {
    journey("german_browser", async |page, server| {
        let agent = page.run("return navigator.userAgent", Value::Null).await;
        let prefers = json!({ "userAgent": agent, "acceptLanguage": "fr-FR,de-AT,en" });
        page.command("Emulation.setUserAgentOverride", prefers).await;
        log_in(page, server, Role::Viewer, "/").await;
        speaks(page, "de").await;
        page.shows("h1", "Heute").await;
        choose(page, "en").await;
        page.reload().await;
        speaks(page, "en").await;
        page.shows("h1", "Today").await;
    })
    .await;
}

/// Switches the language in the user menu, and waits for the page in it.
async fn choose(page: &Page, tag: &str) {
    page.click("[data-test=user-menu]").await;
    page.click(&format!("#user-menu [data-test=language] [data-test={tag}]")).await;
    speaks(page, tag).await;
}

/// Waits until the page says that it is in this language.
async fn speaks(page: &Page, tag: &str) {
    page.see(&format!("html[lang={tag}] .shell")).await;
}
