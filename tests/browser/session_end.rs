//! Session end during work: the panel asks for the password over the page, and the work continues.

use std::time::Duration;

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::leads::expect_rows;
use super::login::log_in;
use super::page::Page;
use crate::harness::PASSWORD;

const LOGIN_DIALOG: &str = "[data-test=log-in-again][open]";
const SUBMIT_BUTTON: &str = "[data-test=log-in-again-submit]";

/// Removes the session from the browser.
async fn end_session(page: &Page) {
    page.devtools_command("Network.clearBrowserCookies", json!({})).await;
}

/// Logs in as in another tab: this page's session ends, and the browser has a new one.
async fn log_in_in_other_tab(page: &Page) {
    let script = "const [login, done] = arguments;
        const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: login };
        fetch('/api/session', request).then(response => done(response.status), error => done(String(error)))";
    let login = json!({ "email": "manager@example.com", "password": PASSWORD }).to_string();
    assert_eq!(page.run_async_script(script, vec![json!(login)]).await, 200);
}

/// Logs out as in another tab.
async fn log_out_in_other_tab(page: &Page) {
    let script = "const done = arguments[0];
        const end = session => fetch('/api/session', { method: 'DELETE', headers: { 'X-CSRF-Token': session.csrf_token } });
        fetch('/api/session').then(response => response.json()).then(end)
            .then(response => done(response.status), error => done(String(error)))";
    assert_eq!(page.run_async_script(script, Vec::new()).await, 204);
}

journey!(input_survives_session_end_and_is_saved_after_login, async |page, server| {
    let admin = server.admin();
    let id = admin.create("/api/leads", json!({ "first_name": "Ann", "last_name": "Before" })).await;
    let path = format!("/leads/{id}");
    log_in(page, server, Role::Manager, &path).await;
    page.click("[data-test=edit-lead]").await;
    page.fill("#lead-last_name", "After").await;
    end_session(page).await;
    page.click("[data-test=save-lead]").await;

    // The page behind the dialog already shows the new value, and Escape doesn't close the dialog.
    page.wait_for(LOGIN_DIALOG).await;
    page.expect_location(&path).await;
    page.expect_text("h1", "Ann After").await;
    let email = page.run_script("return document.getElementById('email-again').value", Value::Null).await;
    assert_eq!(email, json!("manager@example.com"));
    let focused_element = async || page.run_script("return document.activeElement.id", Value::Null).await;
    page.wait_until_equal("the password can be typed", json!("password-again"), focused_element).await;
    for _ in 0..3 {
        page.type_keys(&Key::Escape.to_string()).await;
    }
    assert!(page.is_visible(LOGIN_DIALOG).await, "the dialog stays");
    page.fill("[data-test=password-again]", "not the password").await;
    page.click(SUBMIT_BUTTON).await;
    page.expect_text("[data-test=log-in-again] [data-test=error] strong", "Incorrect email or password").await;

    page.fill("[data-test=password-again]", PASSWORD).await;
    page.click(SUBMIT_BUTTON).await;
    page.wait_until_gone(LOGIN_DIALOG).await;
    page.wait_for("[data-test=toast].toast-success").await;
    page.wait_until_gone("[data-test=lead-form]").await;
    page.expect_location(&path).await;
    assert_eq!(admin.get(&path.replace("/leads", "/api/leads")).await.expect(200)["last_name"], "After");

    // Alternatively the user logs out, and returns to this page after the login.
    page.click("[data-test=edit-lead]").await;
    page.fill("#lead-last_name", "Never").await;
    end_session(page).await;
    page.click("[data-test=save-lead]").await;
    page.click("[data-test=log-out-instead]").await;
    page.wait_for("[data-test=login-email]").await;
    super::login::submit_login(page, "manager@example.com", PASSWORD).await;
    page.expect_location(&path).await;
    page.wait_for("[data-test=edit-lead]").await;
    assert_eq!(admin.get(&path.replace("/leads", "/api/leads")).await.expect(200)["last_name"], "After");
});

journey!(selection_and_dialog_survive_session_end, async |page, server| {
    log_in(page, server, Role::Manager, "/leads").await;
    page.click("[data-test=lead-row]:first-child [data-test=select-lead]").await;
    page.expect_text("[data-test=selected]", "1 lead selected").await;

    // A page without unsaved work reloads by itself.
    end_session(page).await;
    page.click("[aria-label='Next page']").await;
    page.wait_for(LOGIN_DIALOG).await;
    page.fill("[data-test=password-again]", PASSWORD).await;
    page.click(SUBMIT_BUTTON).await;
    page.wait_until_gone(LOGIN_DIALOG).await;
    expect_rows(page, server, &json!({ "limit": "50;50" })).await;
    page.expect_text("[data-test=selected]", "1 lead selected").await;

    page.click("[data-test=lead-action-weight]").await;
    end_session(page).await;
    page.fill("[data-test=action-weight]", "50").await;
    page.wait_for(LOGIN_DIALOG).await;
    page.fill("[data-test=password-again]", PASSWORD).await;
    page.click(SUBMIT_BUTTON).await;
    page.wait_until_gone(LOGIN_DIALOG).await;
    page.wait_for("[data-test=lead-action][open] [data-test=preview]").await;
    let weight = page.run_script("return document.querySelector('[data-test=action-weight]').value", Value::Null).await;
    assert_eq!(weight, json!("50"));
    page.expect_text("[data-test=selected]", "1 lead selected").await;
});

journey!(logout_also_ends_a_session_of_another_tab, async |page, server| {
    let admin = server.admin();
    let id = admin.create("/api/leads", json!({ "first_name": "Ann", "last_name": "Before" })).await;
    let path = format!("/leads/{id}");
    log_in(page, server, Role::Manager, &path).await;
    page.wait_for("[data-test=edit-lead]").await;
    log_in_in_other_tab(page).await;
    page.click("[data-test=user-menu]").await;
    page.click("[data-test=log-out]").await;
    page.wait_for("[data-test=login-email]").await;
    page.open(&path).await;
    page.wait_for("[data-test=login-email]").await;

    super::login::submit_login(page, "manager@example.com", PASSWORD).await;
    page.click("[data-test=edit-lead]").await;
    page.fill("#lead-last_name", "Never").await;
    log_in_in_other_tab(page).await;
    page.click("[data-test=save-lead]").await;
    page.wait_for(LOGIN_DIALOG).await;
    page.click("[data-test=log-out-instead]").await;
    page.wait_for("[data-test=login-email]").await;
    page.open(&path).await;
    page.wait_for("[data-test=login-email]").await;
    assert_eq!(admin.get(&path.replace("/leads", "/api/leads")).await.expect(200)["last_name"], "Before");
});

journey!(session_end_is_noticed_without_user_action, async |page, server| {
    log_in(page, server, Role::Manager, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    let token = server.create_speech_token("Elsewhere").await;
    let call = server.create_recorded_call(json!({})).await;
    log_out_in_other_tab(page).await;
    // Before sending an event, the stream checks its session if the last check is over a second old.
    tokio::time::sleep(Duration::from_secs(1)).await;
    server.submit_call(call, &token).await;
    page.wait_for(LOGIN_DIALOG).await;
    page.fill("[data-test=password-again]", PASSWORD).await;
    page.click(SUBMIT_BUTTON).await;
    page.wait_until_gone(LOGIN_DIALOG).await;
    page.wait_for("[data-test=lead-row]").await;
    page.expect_location("/leads").await;
});
