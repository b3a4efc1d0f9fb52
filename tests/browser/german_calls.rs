//! Calls, transcripts and deliveries in German.

use leadscribe_engine::api::{RecordingSide, Role};
use serde_json::{Value, json};

use super::deliveries::ask_for_delivery;
use super::journey;
use super::login::log_in;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_and_deliveries_work_in_german() {
    journey("german_calls", async |page, server| {
        let token = server.speech_token("Qualität").await;
        let said = [(RecordingSide::Caller, "good morning"), (RecordingSide::Callee, "when is my delivery")];
        let call = server.transcribed_call(&token, json!({}), &said).await;
        ask_for_delivery(server).await;
        page.open("/login").await;
        page.see("[data-test=login-email]").await;
        page.run("localStorage.setItem('leadscribe.language', 'de')", Value::Null).await;

        log_in(page, server, Role::Manager, "/calls").await;
        page.shows("h1", "Anrufe").await;
        page.shows("[data-test=total]", "51 Anrufe").await;
        let heads = page.texts("thead th").await;
        assert_eq!(
            heads[1..],
            ["Zeit", "Rufnummern", "Lead", "Kampagne", "Agent", "Ergebnis", "Aufnahme", "Transkription"]
        );
        page.click("[data-test=export] summary").await;
        assert_eq!(page.texts("[data-test=export] a .strong").await, ["CSV", "JSON Lines"]);
        let href = page.run("return document.querySelector('[data-test=export-csv]').href", Value::Null).await;
        assert!(href.as_str().unwrap().contains("delimiter=%3B"), "Excel in German separates cells so: {href}");
        page.click("[data-test=export] summary").await;
        let row = format!("[data-test=call-row][data-id='{call}']");
        let name = [format!("Aufnahme von Anruf {call} abspielen, 0:06")];
        page.lists(&format!("{row} [data-test=play]"), "aria-label", &name).await;
        page.shows(&format!("{row} [data-test=transcript-link]"), "Transkript").await;

        let ready = server.admin().get("/api/calls?recording=ready&limit=6;0").await.expect(200);
        page.click(&format!("[data-test=call-row][data-id='{}'] [data-test=select-call]", ready["items"][5]["id"]))
            .await;
        page.click("[data-test=send]").await;
        page.shows("[data-test=send-dialog] h2", "1 Anruf an die Spracherkennung senden").await;
        page.lists("[data-test=send-side]", "aria-label", &["Gesprächsseite".to_owned()]).await;
        assert_eq!(page.texts("[data-test=send-side] button").await, ["Anrufer", "Angerufener", "Beide"]);
        let tokens = server.admin().get("/api/speech-tokens").await.expect(200);
        page.choose("[data-test=send-token]", &tokens["items"][0]["id"].to_string()).await;
        page.choose("[data-test=send-language]", "en").await;
        page.click("[data-test=send-check]").await;
        page.shows("[data-test=outcome] strong", "1 Anruf wird transkribiert").await;
        let length = page.text("[data-test=outcome] p").await;
        assert!(length.ends_with(" s Aufnahme."), "{length}");

        page.open(&format!("/calls/{call}")).await;
        page.see(".player-speed").await;
        assert_eq!(page.texts(".player-speed option").await, ["1×", "1,25×", "1,5×", "2×"]);
        page.shows("h1", &format!("Anruf {call}")).await;
        page.see("[data-test=segment]").await;
        assert_eq!(page.texts(".turn-name").await, ["Anrufer", "Angerufener"]);
        let facts = page.text("[data-test=transcript-facts]").await;
        assert!(facts.contains("Wörter") && facts.contains("Englisch"), "{facts}");
        page.fill("[data-test=find]", "bicycle").await;
        page.shows("[data-test=find-count]", "Keine Treffer").await;

        page.open("/transcripts").await;
        page.shows("[data-test=total]", "1 Anruf").await;
        page.fill("[data-test=words]", "delivery\n").await;
        page.shows("[data-test=hit-matches]", "1 Treffer").await;
        page.click("[data-test=deliver]").await;
        page.shows("[data-test=deliver-dialog] h2", "An Webhook senden").await;
        page.shows("[data-test=deliver-submit]", "1 Anruf senden").await;

        page.open("/deliveries").await;
        page.shows("[data-test=total]", "1 Zustellung").await;
        let heads = page.texts("thead th").await;
        assert_eq!(heads[..4], ["Zustellung", "Status", "Anruf", "Webhook"]);
        page.click("[data-test=delivery-row] .row-link").await;
        page.shows("h1", "Zustellung 1").await;
        page.shows("#attempts", "Versuche").await;
    })
    .await;
}
