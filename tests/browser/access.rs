//! Speech tokens and API keys, and what a viewer sees.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::{Client, Server, body};

const SECRET_SELECTOR: &str = "[data-test=new-key-secret]";

journey!(api_key_is_shown_once_works_and_can_be_revoked, async |page, server| {
    grant_clipboard(page, server).await;
    log_in(page, server, Role::Admin, "/settings?tab=keys").await;
    page.click("[data-test=new-key]").await;
    page.fill("[data-test=new-name]", "Reporting, nightly").await;
    page.click("[data-test=key-dialog] [data-test=create]").await;
    let secret = copy_secret(page).await;

    let client = server.anonymous().with_key(&secret);
    client.get("/api/leads?limit=1;0").await.expect(200);
    assert_eq!(client.get("/api/calls?limit=1;0").await.status, 403, "only leads:read is granted");

    let row = "[data-test=key-row]:first-child";
    assert_secret_gone(page, &secret).await;
    page.expect_text(&format!("{row} .lead-cell"), "Reporting, nightly").await;
    page.click(&format!("{row} [data-test=revoke]")).await;
    page.click("[data-test=confirm]").await;
    page.wait_until_gone("[data-test=confirm]").await;
    page.wait_until_gone(&format!("{row} [data-test=revoke]")).await;
    assert_eq!(client.get("/api/leads?limit=1;0").await.status, 401);
});

journey!(speech_token_is_shown_once_works_and_can_be_revoked, async |page, server| {
    grant_clipboard(page, server).await;
    log_in(page, server, Role::Admin, "/settings").await;
    page.click("[data-test=new-token]").await;
    page.fill("[data-test=new-name]", "Quality team").await;
    page.click("[data-test=token-dialog] [data-test=create]").await;
    let secret = copy_secret(page).await;
    assert_eq!(submission_status(&server.admin(), &secret).await, 200);

    assert_secret_gone(page, &secret).await;
    page.expect_text("[data-test=token-row] .lead-cell", "Quality team").await;
    page.click("[data-test=token-row] [data-test=revoke]").await;
    page.click("[data-test=confirm]").await;
    page.wait_until_gone("[data-test=confirm]").await;
    page.wait_until_gone("[data-test=token-row] [data-test=revoke]").await;
    assert_eq!(submission_status(&server.admin(), &secret).await, 401);
});

journey!(escape_keeps_an_uncopied_secret_open, async |page, server| {
    grant_clipboard(page, server).await;
    log_in(page, server, Role::Admin, "/settings?tab=keys").await;
    let open_dialog = async |name: &str| {
        page.click("[data-test=new-key]").await;
        page.fill("[data-test=new-name]", name).await;
    };
    let press_escape = async || page.type_keys(&Key::Escape.to_string()).await;
    let create_button = "[data-test=key-dialog] [data-test=create]";

    // Before the secret exists, Escape closes the dialog, after a confirmation if there is input.
    page.click("[data-test=new-key]").await;
    page.wait_for("[data-test=new-name]").await;
    press_escape().await;
    page.wait_until_gone("[data-test=key-dialog][open]").await;
    open_dialog("Nobody").await;
    press_escape().await;
    page.click("[data-test=discard-changes]").await;
    page.wait_until_gone("[data-test=key-dialog][open]").await;

    open_dialog("Reporting").await;
    page.click(create_button).await;
    let secret = page.text(SECRET_SELECTOR).await;
    for _ in 0..3 {
        press_escape().await;
    }
    page.wait_for("[data-test=secret-warning]").await;
    page.expect_text(SECRET_SELECTOR, &secret).await;
    page.click("[data-test=close-anyway]").await;
    page.wait_until_gone("[data-test=key-dialog][open]").await;

    open_dialog("Telephone system").await;
    page.click(create_button).await;
    copy_secret(page).await;
    press_escape().await;
    page.wait_until_gone("[data-test=key-dialog][open]").await;
});

journey!(navigation_keeps_an_uncopied_secret_open, async |page, server| {
    grant_clipboard(page, server).await;
    log_in(page, server, Role::Admin, "/leads").await;
    page.click(".sidebar [href='/settings']").await;
    let create_token = async |name: &str| {
        page.click("[data-test=new-token]").await;
        page.fill("[data-test=new-name]", name).await;
        page.click("[data-test=token-dialog] [data-test=create]").await;
        page.text(SECRET_SELECTOR).await
    };
    let secret = create_token("Quality team").await;
    page.run_script("history.back()", Value::Null).await;
    page.wait_for("[data-test=secret-warning]").await;
    page.expect_location("/settings").await;
    page.type_keys(&(Key::Control + "k")).await;
    page.wait_for("[data-test=palette-input]").await;
    page.type_keys("deliveries").await;
    page.type_keys(&Key::Enter).await;
    page.wait_until_gone("[data-test=palette-input]").await;
    page.expect_location("/settings").await;
    page.expect_text(SECRET_SELECTOR, &secret).await;
    page.click("[data-test=close-anyway]").await;
    page.wait_until_gone("[data-test=token-dialog][open]").await;

    // After copying, navigation isn't blocked.
    create_token("Complaints").await;
    copy_secret(page).await;
    page.run_script("history.back()", Value::Null).await;
    page.expect_location("/leads").await;
});

journey!(viewer_sees_no_controls_for_changes, async |page, server| {
    server.create_speech_token("Quality team").await;
    let leads =
        server.admin().put("/api/leads/extended-data", r#"{"calls_count":{"gte":0},"limit":"1;0"}"#).await.expect(200);
    let lead = &leads["leads"][0];
    let (lead_path, campaign_path) =
        (format!("/leads/{}", lead["id"]), format!("/campaigns/{}", lead["campaigns"][0]["campaign_id"]));
    let (lead_path, campaign_path) = (lead_path.as_str(), campaign_path.as_str());
    // Each page, an element of its loaded data, and a control for users with write access.
    let write_controls = [
        ("/leads", "[data-test=lead-row]", "[data-test=new-lead]"),
        ("/leads", "[data-test=lead-row]", "[data-test=select-lead]"),
        (lead_path, "[data-test=lead-campaign]", "[data-test=edit-lead]"),
        (lead_path, "[data-test=lead-campaign]", "[data-test=edit-campaign-lead]"),
        (lead_path, "[data-test=lead-campaign]", "[data-test=add-to-campaign]"),
        (lead_path, "[data-test=lead-campaign]", "[data-test=delete-lead]"),
        ("/campaigns", "[data-test=total]", "[data-test=new-campaign]"),
        (campaign_path, "[data-test=campaign-leads]", "main form input:enabled"),
        (campaign_path, "[data-test=campaign-leads]", "[data-test=save]"),
        // The recording of this call could not be prepared.
        ("/calls/149", "[data-test=empty-state]", ".file-drop"),
        ("/calls", "[data-test=call-row]", "[data-test=send]"),
        ("/calls", "[data-test=call-row]", "[data-test=select-call]"),
        ("/imports", "#import-history-title", ".file-drop"),
        ("/settings", "[data-test=token-row]", "[data-test=new-token]"),
        ("/settings", "[data-test=token-row]", "[data-test=rotate]"),
        ("/settings", "[data-test=token-row]", "[data-test=revoke]"),
        ("/settings?tab=statuses", "[data-test=status-row]", "[data-test=new-status]"),
        ("/settings?tab=statuses", "[data-test=status-row]", "[data-test=up]"),
    ];
    log_in(page, server, Role::Viewer, "/leads").await;
    for (path, loaded_element, control) in write_controls {
        page.open(path).await;
        page.wait_for(loaded_element).await;
        assert!(!page.is_visible(control).await, "{path} offers {control} to a viewer");
    }
    page.open(campaign_path).await;
    page.expect_text("[data-test=read-only]", "Your role can't change campaigns.").await;
    for path in ["/campaigns/new", "/leads/new"] {
        page.open(path).await;
        page.wait_for("[data-test=empty-state]").await;
    }
    page.open("/settings").await;
    page.wait_for("[data-test=token-row]").await;
    assert_eq!(page.texts("[role=tab]").await, ["Speech tokens", "Statuses", "Webhooks", "Your account"]);
    for tab in ["keys", "users", "audit"] {
        page.open(&format!("/settings?tab={tab}")).await;
        page.expect_text("[data-test=empty-state] h2", "Administrators only").await;
        page.expect_location(&format!("/settings?tab={tab}")).await;
        // Keyboard users can reach the tabs, and the tab panel has a label.
        page.wait_for("[role=tab]:first-child[tabindex='0']").await;
        page.wait_for("[role=tabpanel][aria-label]").await;
        assert!(
            !page.is_visible("[data-test=key-row], [data-test=user-row], [data-test=audit-row]").await,
            "{tab} are shown to a viewer"
        );
    }

    page.click("[data-test=user-menu]").await;
    page.click("[data-test=log-out]").await;
    page.wait_for("[data-test=login-email]").await;
    log_in(page, server, Role::Admin, "/calls").await;
    for (path, loaded_element, control) in write_controls {
        page.open(path).await;
        page.wait_for(loaded_element).await;
        page.wait_for(control).await;
    }
});

/// Clicks the copy button of a new secret, and returns the clipboard.
async fn copy_secret(page: &Page) -> String {
    let secret = page.text(SECRET_SELECTOR).await;
    page.click(".secret [data-test=copy]").await;
    page.expect_text(".secret [data-test=copy]", "Copied").await;
    let script = "const done = arguments[arguments.length - 1];
        navigator.clipboard.readText().then(done, error => done(String(error)))";
    assert_eq!(page.run_async_script(script, Vec::new()).await, json!(secret));
    secret
}

/// Closes the dialog with a new secret, and checks that the page no longer contains it, even after a reload.
async fn assert_secret_gone(page: &Page, secret: &str) {
    page.click(".dialog-footer .button-primary").await;
    page.wait_until_gone(SECRET_SELECTOR).await;
    let page_contains_secret =
        async || page.run_script("return document.documentElement.outerHTML.includes(arguments[0])", secret).await;
    assert_eq!(page_contains_secret().await, json!(false));
    page.reload().await;
    page.wait_for("[data-test=revoke]").await;
    assert_eq!(page_contains_secret().await, json!(false));
}

/// Grants access to the clipboard, which browsers otherwise prompt for.
pub async fn grant_clipboard(page: &Page, server: &Server) {
    let permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
    page.devtools_command("Browser.grantPermissions", json!({ "origin": server.base(), "permissions": permissions }))
        .await;
}

/// Returns the status of a dry run with a speech token.
async fn submission_status(client: &Client, token: &str) -> u16 {
    let request = json!({ "call_ids": [101], "token": token, "languages": ["en"], "recording_side": "both" });
    client.post("/api/speech-recognition?dry_run=true", body(request)).await.status
}
