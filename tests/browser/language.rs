//! The panel in German: chosen by the user, or preferred by the browser.

use chrono::Datelike;
use leadscribe_engine::api::Role;
use leadscribe_engine::time;
use serde_json::{Value, json};

use super::journey;
use super::login::{log_in, submit_login};
use super::page::Page;

journey!(chosen_language_persists, async |page, server| {
    log_in(page, server, Role::Manager, "/").await;
    page.expect_text("h1", "Today").await;
    choose_language(page, "de").await;

    page.expect_text("h1", "Heute").await;
    let script = "return new Intl.DateTimeFormat('de-DE', { weekday: 'long', day: 'numeric', month: 'long' }).format()";
    let date = page.run_script(script, Value::Null).await;
    page.expect_text(".page-title .secondary", date.as_str().unwrap()).await;
    page.expect_text("[data-test=by-reason] h2", "Warum Leads jetzt nicht anrufbar sind").await;
    page.expect_text("[data-test=bar][data-key=do_not_call] a", "Nicht anrufen").await;
    page.expect_text("[aria-label='Anrufe pro Tag'] summary", "Als Tabelle anzeigen").await;

    let total = server.admin().count_leads(json!({ "limit": "0;0" })).await;
    assert!((1_000..1_000_000).contains(&total), "the test needs a total of at least 1,000, found {total}");
    page.click("nav a[href='/leads']").await;
    page.wait_until("the total uses German digit grouping", async || {
        let grouped = format!("{}.{:03} ", total / 1_000, total % 1_000);
        page.text("[data-test=total]").await.starts_with(&grouped).then_some(())
    })
    .await;
    let filter = r#"{"city":{"not":"Bonn"},"email":null,
            "_or":[{"status":["new","busy"],"calls_count":"2;<"},{"purchase_date":"2026-05-01;>="}],"limit":"50;0"}"#;
    page.fill_filter(filter).await;
    page.expect_text(
        "[data-test=filter-explanation]",
        "Leads mit Stadt außer Bonn (oder leer), ohne E-Mail, \
             (entweder (mit Status Neu oder Besetzt und mit weniger als 2 Anrufen) oder gekauft ab dem 1. Mai 2026).",
    )
    .await;

    let now = time::print(server.now());
    let filter = json!({ "freeze_until": { "gt": now }, "limit": "1;0" }).to_string();
    let leads = server.admin().put("/api/leads/extended-data", filter).await.expect(200);
    let lead = &leads["leads"][0];
    page.open(&format!("/leads/{}", lead["id"])).await;
    page.expect_text("#callability-title", "Ist der Lead anrufbar?").await;
    // Times are in the browser's time zone, and omit the current year.
    let format_date_script = "const at = new Date(arguments[0] ?? document.querySelector('aside time').dateTime);
            const parts = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' };
            const year = at.getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' };
            return new Intl.DateTimeFormat('de-DE', { ...parts, ...year }).format(at)";
    let expected_time = page.run_script(format_date_script, lead["campaigns"][0]["freeze_until"].clone()).await;
    let reason = page.text("[data-test=reason][data-code=frozen]").await;
    let expected = format!("Pausiert bis {}. Endet in ", expected_time.as_str().unwrap());
    assert!(reason.starts_with(&expected), "{expected:?} should begin {reason:?}");
    let date = page.run_script(format_date_script, Value::Null).await;
    page.expect_text("aside time", date.as_str().unwrap()).await;
    page.click("[data-test=edit-lead]").await;
    page.expect_text("label[for=lead-last_name]", "Nachname").await;
    page.expect_text("[data-test=discard]", "Abbrechen").await;

    page.click("nav a[href='/campaigns']").await;
    page.expect_text("h1", "Kampagnen").await;
    page.wait_for("[data-test=campaign-row]").await;
    let column_headers = page.texts(".campaign-table th").await;
    let column_headers: Vec<_> = column_headers.iter().map(|head| head.to_lowercase()).collect();
    assert_eq!(column_headers, ["kampagne", "status", "fortschritt", "anrufzeiten", "versuche"]);
    page.click("[data-test=campaign]").await;
    page.expect_text("#impact-title", "Jetzt anrufbar").await;
    page.fill("[data-test=campaign-freeze]", "1530").await;
    page.expect_text("[data-test=unsaved]", "Nicht gespeicherte Änderungen").await;
    page.click("nav a[href='/']").await;
    page.expect_text("[data-test=confirm-dialog] h2", "Ohne Speichern verlassen?").await;
    page.click("[data-test=confirm]").await;

    page.expect_text("h1", "Heute").await;
    page.reload().await;
    expect_language(page, "de").await;
    page.expect_text("h1", "Heute").await;
    // The API's own texts are in English and marked as such for screen readers.
    page.click("nav a[href='/api-reference']").await;
    page.expect_text("[data-test=in-english]", "Die Referenz ist auf Englisch.").await;
    page.wait_for("api-reference[lang=en] .opblock").await;
    choose_language(page, "en").await;
    page.wait_for("html[lang=en] .opblock").await;
    assert!(!page.is_visible("[data-test=in-english]").await);
    page.open("/").await;
    page.expect_text("h1", "Today").await;
});

journey!(browser_language_is_used_until_one_is_chosen, async |page, server| {
    let user_agent = page.run_script("return navigator.userAgent", Value::Null).await;
    let override_params = json!({ "userAgent": user_agent, "acceptLanguage": "fr-FR,de-AT,en" });
    page.devtools_command("Emulation.setUserAgentOverride", override_params).await;
    log_in(page, server, Role::Viewer, "/").await;
    expect_language(page, "de").await;
    page.expect_text("h1", "Heute").await;
    choose_language(page, "en").await;
    page.reload().await;
    expect_language(page, "en").await;
    page.expect_text("h1", "Today").await;
});

/// An invalid date and an invalid email address.
const CSV: &str = "\
original_identifier,last_name,email,birthdate
de-1,Fehler,ada@example.com,1990-02-28
de-2,Fehler,ada,2026-02-30
";

journey!(errors_are_reported_in_german, async |page, server| {
    page.open("/login").await;
    page.wait_for("[data-test=login-email]").await;
    page.run_script("localStorage.setItem('leadscribe.language', 'de')", Value::Null).await;
    page.reload().await;
    page.wait_for("html[lang=de] [data-test=login-email]").await;
    submit_login(page, "nobody@example.com", "not the password").await;
    page.expect_text("[data-test=error] strong", "E-Mail oder Passwort falsch").await;
    log_in(page, server, Role::Manager, "/leads").await;

    // Diagnostics that the engine finds in the browser, with line and column.
    page.fill_filter(r#"{"frist_name":"Ada","created_at":"2026-02-30 00:00:00"}"#).await;
    let unknown_key = "[data-test=diagnostic][data-code=unknown_key]";
    page.expect_text(
        &format!("{unknown_key} .strong"),
        "Erwartet: ein Feld von Leads oder Kampagnen-Leads, gefunden: frist_name.",
    )
    .await;
    page.expect_text(&format!("{unknown_key} .secondary"), "Meinten Sie first_name?").await;
    page.expect_text(&format!("{unknown_key} .muted"), "Zeile 1, Spalte 2").await;
    let invalid_date = "[data-test=diagnostic][data-code=no_such_time]";
    page.expect_text(&format!("{invalid_date} .strong"), "Den 30. Februar 2026 gibt es nicht.").await;
    page.expect_text(&format!("{invalid_date} .muted"), "Zeile 1, Spalte 43").await;
    page.click(&format!("{unknown_key} [data-test=use-suggestion]")).await;
    page.wait_until_gone(unknown_key).await;

    // Diagnostics in a file: first from the browser, then from the server.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("leads.csv");
    std::fs::write(&file, CSV).unwrap();
    page.open("/imports").await;
    page.click("[data-test=import-leads]").await;
    page.set_file("[data-test=import-file]", &file).await;
    let expected_email_message = "Erwartet: eine E-Mail-Adresse wie name@example.com, gefunden: \"ada\".";
    page.wait_for("[data-test=invalid-cell]").await;
    let messages = page.texts("[data-test=preview-row-errors] p").await;
    let expected_date_message = "birthdate Den 30. Februar 2026 gibt es nicht.".to_owned();
    assert_eq!(
        messages,
        [format!("email {expected_email_message}"), expected_date_message],
        "the error uses the column names of the file"
    );
    page.click("[data-test=import-start]").await;
    page.expect_text("[data-test=import-report] [data-test=import-rejected]", "1").await;
    let row = page.text("[data-test=rejected-row]").await;
    assert!(row.contains(expected_email_message) && row.contains("Den 30. Februar 2026 gibt es nicht."), "{row}");

    // Diagnostics that only the server can find.
    page.open("/settings?tab=account").await;
    page.fill("[data-test=current-password]", "not the password").await;
    page.fill("[data-test=new-password]", "one that is long enough").await;
    page.click("[data-test=change-password]").await;
    page.expect_text("[data-test=diagnostic]", "Das aktuelle Passwort ist falsch.").await;
});

journey!(lead_local_time_is_shown_in_german, async |page, server| {
    let client = server.admin();
    // Calling hours of one minute, on a day that isn't today or tomorrow.
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let day = server.now().date_naive().weekday().num_days_from_monday() as usize;
    let hours = json!({ "start": "00:00", "end": "00:01", "days": [days[(day + 4) % 7]] });
    let campaign = client.create("/api/campaigns", json!({ "name": "Uhr", "calling_hours": hours })).await;
    let lead = client.create("/api/leads", json!({ "last_name": "Uhr", "timezone": "Europe/Berlin" })).await;
    client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
    page.open("/login").await;
    page.wait_for("[data-test=login-email]").await;
    page.run_script("localStorage.setItem('leadscribe.language', 'de')", Value::Null).await;
    page.reload().await;
    log_in(page, server, Role::Viewer, &format!("/leads/{lead}")).await;
    let reason = "[data-test=reason][data-code=outside_calling_hours]";
    page.wait_until("the lead's local time is shown", async || {
        let text = page.text(reason).await;
        (text.contains("; Ortszeit des Leads ist ") && text.contains(" (Europe/Berlin)")).then_some(())
    })
    .await;
});

/// Switches the language in the user menu, and waits for the page to change.
async fn choose_language(page: &Page, tag: &str) {
    page.click("[data-test=user-menu]").await;
    page.click(&format!("#user-menu [data-test=language] [data-test={tag}]")).await;
    expect_language(page, tag).await;
}

/// Waits until the page's language is this one.
async fn expect_language(page: &Page, tag: &str) {
    page.wait_for(&format!("html[lang={tag}] .shell")).await;
}
