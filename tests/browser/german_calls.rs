//! Calls, transcripts and deliveries in German.

use leadscribe_engine::api::{RecordingSide, Role};
use serde_json::{Value, json};

use super::deliveries::request_deliveries;
use super::journey;
use super::login::log_in;

journey!(calls_and_deliveries_work_in_german, async |page, server| {
    let token = server.create_speech_token("Qualität").await;
    let lines = [(RecordingSide::Caller, "good morning"), (RecordingSide::Callee, "when is my delivery")];
    let call = server.create_transcribed_call(&token, json!({}), &lines).await;
    request_deliveries(server).await;
    page.open("/login").await;
    page.wait_for("[data-test=login-email]").await;
    page.run_script("localStorage.setItem('leadscribe.language', 'de')", Value::Null).await;

    log_in(page, server, Role::Manager, "/calls").await;
    page.expect_text("h1", "Anrufe").await;
    page.expect_text("[data-test=total]", "51 Anrufe").await;
    let column_headers = page.texts("thead th").await;
    assert_eq!(
        column_headers[1..],
        ["Zeit", "Rufnummern", "Lead", "Kampagne", "Agent", "Ergebnis", "Aufnahme", "Transkription"]
    );
    page.click("[data-test=export] summary").await;
    assert_eq!(page.texts("[data-test=export] a .strong").await, ["CSV", "JSON Lines"]);
    let href = page.run_script("return document.querySelector('[data-test=export-csv]').href", Value::Null).await;
    assert!(href.as_str().unwrap().contains("delimiter=%3B"), "a German CSV export uses semicolons: {href}");
    page.click("[data-test=export] summary").await;
    let row = format!("[data-test=call-row][data-id='{call}']");
    let name = [format!("Aufnahme von Anruf {call} abspielen, 0:06")];
    page.expect_attributes(&format!("{row} [data-test=play]"), "aria-label", &name).await;
    page.expect_text(&format!("{row} [data-test=transcript-link]"), "Transkript").await;

    let ready_calls = server.admin().get("/api/calls?recording=ready&limit=6;0").await.expect(200);
    page.click(&format!("[data-test=call-row][data-id='{}'] [data-test=select-call]", ready_calls["items"][5]["id"]))
        .await;
    page.click("[data-test=send]").await;
    page.expect_text("[data-test=send-dialog] h2", "1 Anruf an die Spracherkennung senden").await;
    page.expect_attributes("[data-test=send-side]", "aria-label", &["Gesprächsseite".to_owned()]).await;
    assert_eq!(page.texts("[data-test=send-side] button").await, ["Anrufer", "Angerufener", "Beide"]);
    let tokens = server.admin().get("/api/speech-tokens").await.expect(200);
    page.select_option("[data-test=send-token]", &tokens["items"][0]["id"].to_string()).await;
    page.select_option("[data-test=send-language]", "en").await;
    page.click("[data-test=send-check]").await;
    page.expect_text("[data-test=submission-result] strong", "1 Anruf wird transkribiert").await;
    let length = page.text("[data-test=submission-result] p").await;
    assert!(length.ends_with(" Sek. Aufnahme."), "{length}");

    page.open(&format!("/calls/{call}")).await;
    page.wait_for(".player-speed").await;
    assert_eq!(page.texts(".player-speed option").await, ["1×", "1,25×", "1,5×", "2×"]);
    page.expect_text("h1", &format!("Anruf {call}")).await;
    page.wait_for("[data-test=segment]").await;
    assert_eq!(page.texts(".segment-speaker").await, ["Anrufer", "Angerufener"]);
    let details = page.text("[data-test=transcript-details]").await;
    assert!(details.contains("Wörter") && details.contains("Englisch"), "{details}");
    page.fill("[data-test=find]", "bicycle").await;
    page.expect_text("[data-test=find-count]", "Keine Treffer").await;

    page.open("/transcripts").await;
    page.expect_text("[data-test=total]", "1 Anruf").await;
    page.fill("[data-test=words]", "delivery\n").await;
    page.expect_text("[data-test=hit-matches]", "1 Treffer").await;
    page.click("[data-test=deliver]").await;
    page.expect_text("[data-test=deliver-dialog] h2", "An Webhook senden").await;
    page.expect_text("[data-test=deliver-submit]", "1 Anruf senden").await;

    page.open("/deliveries").await;
    page.expect_text("[data-test=total]", "1 Zustellung").await;
    let column_headers = page.texts("thead th").await;
    assert_eq!(column_headers[..4], ["Zustellung", "Status", "Anruf", "Webhook"]);
    page.click("[data-test=delivery-row] .row-link").await;
    page.expect_text("h1", "Zustellung 1").await;
    page.expect_text("#attempts", "Versuche").await;
});
