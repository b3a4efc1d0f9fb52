//! The panel in German: chosen by the user, or preferred by the browser.

use chrono::Datelike;
use leadscribe_engine::api::Role;
use leadscribe_engine::time;
use serde_json::{Value, json};

use super::journey;
use super::login::{fill_in, log_in};
use super::page::Page;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chosen_language_persists() {
    journey("german", async |page, server| {
        log_in(page, server, Role::Manager, "/").await;
        page.shows("h1", "Today").await;
        choose(page, "de").await;

        page.shows("h1", "Heute").await;
        let date =
            "return new Intl.DateTimeFormat('de-DE', { weekday: 'long', day: 'numeric', month: 'long' }).format()";
        let date = page.run(date, Value::Null).await;
        page.shows(".page-title .secondary", date.as_str().unwrap()).await;
        page.shows("[data-test=by-reason] h2", "Warum Leads jetzt nicht anrufbar sind").await;
        page.shows("[data-test=bar][data-key=do_not_call] a", "Nicht anrufen").await;
        page.shows("[aria-label='Anrufe pro Tag'] summary", "Als Tabelle anzeigen").await;

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
        page.fill_filter(filter).await;
        page.shows(
            "[data-test=reading]",
            "Leads mit Stadt außer Bonn, falls angegeben, ohne E-Mail, \
             (entweder (mit Status Neu oder Besetzt und mit Anrufzahl unter 2) oder gekauft ab dem 1. Mai 2026).",
        )
        .await;

        let now = time::print(server.now());
        let filter = json!({ "freeze_until": { "gt": now }, "limit": "1;0" }).to_string();
        let found = server.admin().put("/api/leads/extended-data", filter).await.expect(200);
        let lead = &found["leads"][0];
        page.open(&format!("/leads/{}", lead["id"])).await;
        page.shows("#why", "Ist der Lead anrufbar?").await;
        // Times are in the browser's time zone, and omit the current year.
        let written = "const at = new Date(arguments[0] ?? document.querySelector('aside time').dateTime);
            const parts = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' };
            const year = at.getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' };
            return new Intl.DateTimeFormat('de-DE', { ...parts, ...year }).format(at)";
        let until = page.run(written, lead["campaigns"][0]["freeze_until"].clone()).await;
        let reason = page.text("[data-test=reason][data-code=frozen]").await;
        let expected = format!("Pausiert bis {}. Endet in ", until.as_str().unwrap());
        assert!(reason.starts_with(&expected), "{expected:?} should begin {reason:?}");
        let date = page.run(written, Value::Null).await;
        page.shows("aside time", date.as_str().unwrap()).await;
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
        // The API's own texts are in English and marked as such for screen readers.
        page.click("nav a[href='/api-reference']").await;
        page.shows("[data-test=in-english]", "Die Referenz ist auf Englisch.").await;
        page.see(".reference-prose p[lang=en]").await;
        choose(page, "en").await;
        page.see("html[lang=en] [data-test=group]").await;
        assert!(!page.sees("[data-test=in-english]").await);
        page.open("/").await;
        page.shows("h1", "Today").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn browser_language_is_used_until_one_is_chosen() {
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

/// An invalid date and an invalid e-mail address.
const CSV: &str = "\
original_identifier,last_name,email,birthdate
de-1,Fehler,ada@example.com,1990-02-28
de-2,Fehler,ada,2026-02-30
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults_are_reported_in_german() {
    journey("german_faults", async |page, server| {
        page.open("/login").await;
        page.see("[data-test=login-email]").await;
        page.run("localStorage.setItem('leadscribe.language', 'de')", Value::Null).await;
        page.reload().await;
        page.see("html[lang=de] [data-test=login-email]").await;
        fill_in(page, "nobody@example.com", "not the password").await;
        page.shows("[data-test=error] strong", "E-Mail oder Passwort falsch").await;
        log_in(page, server, Role::Manager, "/leads").await;

        // Faults that the engine in the browser finds, at their characters.
        page.fill_filter(r#"{"frist_name":"Ada","created_at":"2026-02-30 00:00:00"}"#).await;
        let unknown = "[data-test=fault][data-code=unknown_key]";
        page.shows(
            &format!("{unknown} .strong"),
            "Erwartet: ein Feld von Leads oder Kampagnen-Leads, gefunden: frist_name.",
        )
        .await;
        page.shows(&format!("{unknown} .secondary"), "Meinten Sie first_name?").await;
        page.shows(&format!("{unknown} .muted"), "Zeile 1, Spalte 2").await;
        let no_day = "[data-test=fault][data-code=no_such_time]";
        page.shows(&format!("{no_day} .strong"), "Der Februar 2026 hat keinen Tag 30.").await;
        page.shows(&format!("{no_day} .muted"), "Zeile 1, Spalte 43").await;
        page.click(&format!("{unknown} [data-test=use-suggestion]")).await;
        page.see_gone(unknown).await;

        // Faults in a file: first from the browser, then from the server.
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("leads.csv");
        std::fs::write(&file, CSV).unwrap();
        page.open("/imports").await;
        page.click("[data-test=import-leads]").await;
        page.hand_file("[data-test=import-file]", &file).await;
        let email = "Erwartet: eine E-Mail-Adresse wie name@example.com, gefunden: \"ada\".";
        page.see("[data-test=faulty-cell]").await;
        let why = page.texts("[data-test=preview-why] p").await;
        let day = "birthdate Der Februar 2026 hat keinen Tag 30.".to_owned();
        assert_eq!(why, [format!("email {email}"), day], "named as the file names them");
        page.click("[data-test=import-start]").await;
        page.shows("[data-test=import-report] [data-test=import-rejected]", "1").await;
        let row = page.text("[data-test=rejected-row]").await;
        assert!(row.contains(email) && row.contains("Der Februar 2026 hat keinen Tag 30."), "{row}");

        // Faults that only the server can find.
        page.open("/settings?tab=account").await;
        page.fill("[data-test=current-password]", "not the password").await;
        page.fill("[data-test=new-password]", "one that is long enough").await;
        page.click("[data-test=change-password]").await;
        page.shows("[data-test=fault]", "Das ist nicht Ihr jetziges Passwort.").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lead_local_time_is_shown_in_german() {
    journey("german_clock", async |page, server| {
        let client = server.admin();
        // Calling hours of one minute, on a day that isn't near.
        let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
        let day = server.now().date_naive().weekday().num_days_from_monday() as usize;
        let hours = json!({ "start": "00:00", "end": "00:01", "days": [days[(day + 4) % 7]] });
        let campaign = client.create("/api/campaigns", json!({ "name": "Uhr", "calling_hours": hours })).await;
        let lead = client.create("/api/leads", json!({ "last_name": "Uhr", "timezone": "Europe/Berlin" })).await;
        client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
        page.open("/login").await;
        page.see("[data-test=login-email]").await;
        page.run("localStorage.setItem('leadscribe.language', 'de')", Value::Null).await;
        page.reload().await;
        log_in(page, server, Role::Viewer, &format!("/leads/{lead}")).await;
        let reason = "[data-test=reason][data-code=outside_calling_hours]";
        page.until("the lead's clock is told", async || {
            let told = page.text(reason).await;
            (told.contains("; Ortszeit des Leads ist ") && told.contains(" (Europe/Berlin)")).then_some(())
        })
        .await;
    })
    .await;
}

/// Switches the language in the user menu, and waits for the page to change.
async fn choose(page: &Page, tag: &str) {
    page.click("[data-test=user-menu]").await;
    page.click(&format!("#user-menu [data-test=language] [data-test={tag}]")).await;
    speaks(page, tag).await;
}

/// Waits until the page's language is this one.
async fn speaks(page: &Page, tag: &str) {
    page.see(&format!("html[lang={tag}] .shell")).await;
}
