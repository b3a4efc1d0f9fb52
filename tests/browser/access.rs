//! Speech tokens and API keys, and what a viewer sees.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::{Client, Server, body};

const SECRET: &str = "[data-test=new-key-secret]";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn api_key_is_shown_once_works_and_can_be_revoked() {
    journey("api_key", async |page, server| {
        permit_clipboard(page, server).await;
        log_in(page, server, Role::Admin, "/settings?tab=keys").await;
        page.click("[data-test=new-key]").await;
        page.fill("[data-test=new-name]", "Reporting, nightly").await;
        page.click("[data-test=key-dialog] [data-test=create]").await;
        let secret = copied_secret(page).await;

        let client = server.anonymous().with_key(&secret);
        client.get("/api/leads?limit=1;0").await.expect(200);
        assert_eq!(client.get("/api/calls?limit=1;0").await.status, 403, "only leads:read was chosen");

        let row = "[data-test=key-row]:first-child";
        gone_for_good(page, &secret).await;
        page.shows(&format!("{row} .lead-cell"), "Reporting, nightly").await;
        page.click(&format!("{row} [data-test=revoke]")).await;
        page.click("[data-test=confirm]").await;
        page.see_gone("[data-test=confirm]").await;
        page.see_gone(&format!("{row} [data-test=revoke]")).await;
        assert_eq!(client.get("/api/leads?limit=1;0").await.status, 401);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn speech_token_is_shown_once_works_and_can_be_revoked() {
    journey("speech_token", async |page, server| {
        permit_clipboard(page, server).await;
        log_in(page, server, Role::Admin, "/settings").await;
        page.click("[data-test=new-token]").await;
        page.fill("[data-test=new-name]", "Quality team").await;
        page.click("[data-test=token-dialog] [data-test=create]").await;
        let secret = copied_secret(page).await;
        assert_eq!(submits_with(&server.admin(), &secret).await, 200);

        gone_for_good(page, &secret).await;
        page.shows("[data-test=token-row] .lead-cell", "Quality team").await;
        page.click("[data-test=token-row] [data-test=revoke]").await;
        page.click("[data-test=confirm]").await;
        page.see_gone("[data-test=confirm]").await;
        page.see_gone("[data-test=token-row] [data-test=revoke]").await;
        assert_eq!(submits_with(&server.admin(), &secret).await, 401);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn escape_keeps_an_uncopied_secret_open() {
    journey("secret_kept", async |page, server| {
        permit_clipboard(page, server).await;
        log_in(page, server, Role::Admin, "/settings?tab=keys").await;
        let begin = async |name: &str| {
            page.click("[data-test=new-key]").await;
            page.fill("[data-test=new-name]", name).await;
        };
        let escape = async || page.press(&Key::Escape.to_string()).await;
        let create = "[data-test=key-dialog] [data-test=create]";

        // Before the secret exists, Escape closes the dialog, after a confirmation if there is input.
        page.click("[data-test=new-key]").await;
        page.see("[data-test=new-name]").await;
        escape().await;
        page.see_gone("[data-test=key-dialog][open]").await;
        begin("Nobody").await;
        escape().await;
        page.click("[data-test=discard-filled]").await;
        page.see_gone("[data-test=key-dialog][open]").await;

        begin("Reporting").await;
        page.click(create).await;
        let secret = page.text(SECRET).await;
        for _ in 0..3 {
            escape().await;
        }
        page.see("[data-test=secret-asked]").await;
        page.shows(SECRET, &secret).await;
        page.click("[data-test=close-uncopied]").await;
        page.see_gone("[data-test=key-dialog][open]").await;

        begin("Telephone system").await;
        page.click(create).await;
        copied_secret(page).await;
        escape().await;
        page.see_gone("[data-test=key-dialog][open]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn navigation_keeps_an_uncopied_secret_open() {
    journey("secret_elsewhere", async |page, server| {
        permit_clipboard(page, server).await;
        log_in(page, server, Role::Admin, "/leads").await;
        page.click(".sidebar [href='/settings']").await;
        let begin = async |name: &str| {
            page.click("[data-test=new-token]").await;
            page.fill("[data-test=new-name]", name).await;
            page.click("[data-test=token-dialog] [data-test=create]").await;
            page.text(SECRET).await
        };
        let secret = begin("Quality team").await;
        page.run("history.back()", Value::Null).await;
        page.see("[data-test=secret-asked]").await;
        page.is_at("/settings").await;
        page.press(&(Key::Control + "k")).await;
        page.see("[data-test=palette-input]").await;
        page.press("deliveries").await;
        page.press(&Key::Enter).await;
        page.see_gone("[data-test=palette-input]").await;
        page.is_at("/settings").await;
        page.shows(SECRET, &secret).await;
        page.click("[data-test=close-uncopied]").await;
        page.see_gone("[data-test=token-dialog][open]").await;

        // After copying, navigation isn't blocked.
        begin("Complaints").await;
        copied_secret(page).await;
        page.run("history.back()", Value::Null).await;
        page.is_at("/leads").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn viewer_sees_no_controls_for_changes() {
    journey("viewer", async |page, server| {
        server.speech_token("Quality team").await;
        let found = server
            .admin()
            .put("/api/leads/extended-data", r#"{"calls_count":{"gte":0},"limit":"1;0"}"#)
            .await
            .expect(200);
        let lead = &found["leads"][0];
        let (of_lead, of_campaign) =
            (format!("/leads/{}", lead["id"]), format!("/campaigns/{}", lead["campaigns"][0]["campaign_id"]));
        let (of_lead, of_campaign) = (of_lead.as_str(), of_campaign.as_str());
        // Each page, an element of its loaded data, and a control for users with write access.
        let offers = [
            ("/leads", "[data-test=lead-row]", "[data-test=new-lead]"),
            ("/leads", "[data-test=lead-row]", "[data-test=select-lead]"),
            (of_lead, "[data-test=lead-campaign]", "[data-test=edit-lead]"),
            (of_lead, "[data-test=lead-campaign]", "[data-test=change-in-campaign]"),
            (of_lead, "[data-test=lead-campaign]", "[data-test=delete-lead]"),
            ("/campaigns", "[data-test=total]", "[data-test=new-campaign]"),
            (of_campaign, "[data-test=campaign-leads]", "main form input:enabled"),
            // The recording of this call failed to prepare.
            ("/calls/149", "[data-test=empty]", ".drop"),
            ("/calls", "[data-test=call-row]", "[data-test=send]"),
            ("/calls", "[data-test=call-row]", "[data-test=select-call]"),
            ("/imports", "#past", ".drop"),
            ("/settings", "[data-test=token-row]", "[data-test=new-token]"),
            ("/settings", "[data-test=token-row]", "[data-test=rotate]"),
            ("/settings", "[data-test=token-row]", "[data-test=revoke]"),
            ("/settings?tab=statuses", "[data-test=status-row]", "[data-test=new-status]"),
            ("/settings?tab=statuses", "[data-test=status-row]", "[data-test=up]"),
        ];
        log_in(page, server, Role::Viewer, "/leads").await;
        for (path, ready, offer) in offers {
            page.open(path).await;
            page.see(ready).await;
            assert!(!page.sees(offer).await, "{path} offers {offer} to a viewer");
        }
        assert_eq!(page.texts("[role=tab]").await, ["Speech tokens", "Statuses", "Webhooks", "Your account"]);
        for tab in ["keys", "users", "audit"] {
            page.open(&format!("/settings?tab={tab}")).await;
            page.shows("[data-test=empty] h2", "Administrators only").await;
            page.is_at(&format!("/settings?tab={tab}")).await;
            // Keyboard users can reach the tabs, and the tab panel has a label.
            page.see("[role=tab]:first-child[tabindex='0']").await;
            page.see("[role=tabpanel][aria-label]").await;
            assert!(
                !page.sees("[data-test=key-row], [data-test=user-row], [data-test=audit-row]").await,
                "{tab} are shown to a viewer"
            );
        }

        page.click("[data-test=user-menu]").await;
        page.click("[data-test=log-out]").await;
        page.see("[data-test=login-email]").await;
        log_in(page, server, Role::Admin, "/calls").await;
        for (path, ready, offer) in offers {
            page.open(path).await;
            page.see(ready).await;
            page.see(offer).await;
        }
    })
    .await;
}

/// Clicks the copy button of a new secret, and returns the clipboard.
async fn copied_secret(page: &Page) -> String {
    let shown = page.text(SECRET).await;
    page.click(".secret [data-test=copy]").await;
    page.shows(".secret [data-test=copy]", "Copied").await;
    let read = "const done = arguments[arguments.length - 1];
        navigator.clipboard.readText().then(done, error => done(String(error)))";
    assert_eq!(page.run_async(read, Vec::new()).await, json!(shown));
    shown
}

/// Closes the dialog with a new secret, and checks that the page no longer contains it, even after a reload.
async fn gone_for_good(page: &Page, secret: &str) {
    page.click(".dialog-foot .button-primary").await;
    page.see_gone(SECRET).await;
    let holds_it = async || page.run("return document.documentElement.outerHTML.includes(arguments[0])", secret).await;
    assert_eq!(holds_it().await, json!(false));
    page.reload().await;
    page.see("[data-test=revoke]").await;
    assert_eq!(holds_it().await, json!(false));
}

/// Grants access to the clipboard, which browsers otherwise prompt for.
pub async fn permit_clipboard(page: &Page, server: &Server) {
    let permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
    page.command("Browser.grantPermissions", json!({ "origin": server.base(), "permissions": permissions })).await;
}

/// Returns the status of a dry run with a speech token.
async fn submits_with(client: &Client, token: &str) -> u16 {
    let asked = json!({ "call_ids": [101], "token": token, "languages": ["en"], "recording_side": "both" });
    client.post("/api/speech-recognition?dry_run=true", body(asked)).await.status
}
