//! Logging in and out, and returning to the requested page.

use leadscribe_engine::api::Role;

use super::journey;
use super::page::Page;
use crate::harness::{PASSWORD, Server};

/// Creates a user with this role and returns the email address.
pub async fn create_user(server: &Server, role: Role) -> String {
    let email = format!("{role}@example.com");
    server.create_user(&email, role.as_str()).await;
    email
}

/// Creates a user with this role, opens `path`, logs in, and waits until `path` is shown.
pub async fn log_in(page: &Page, server: &Server, role: Role, path: &str) {
    let email = create_user(server, role).await;
    page.open(path).await;
    submit_login(page, &email, PASSWORD).await;
    page.expect_location(path).await;
}

/// Fills in and submits the login form.
pub async fn submit_login(page: &Page, email: &str, password: &str) {
    page.fill("[data-test=login-email]", email).await;
    page.fill("[data-test=login-password]", password).await;
    page.click("[data-test=login-submit]").await;
}

journey!(deep_link_returns_after_login, async |page, server| {
    let email = create_user(server, Role::Manager).await;
    page.open("/calls?recording=failed").await;
    page.wait_for("[data-test=login-email]").await;

    submit_login(page, &email, "not the password").await;
    page.expect_text("[data-test=error] strong", "Incorrect email or password").await;
    assert!(!page.is_visible("[data-test=call-row]").await);

    submit_login(page, &email, PASSWORD).await;
    page.expect_location("/calls?recording=failed").await;
    page.expect_text("[data-test=total]", "1 call").await;
});

journey!(session_survives_reload_and_ends_at_logout, async |page, server| {
    log_in(page, server, Role::Manager, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.reload().await;
    page.wait_for("[data-test=lead-row]").await;
    page.expect_location("/leads").await;

    page.click("[data-test=user-menu]").await;
    page.click("[data-test=log-out]").await;
    page.wait_for("[data-test=login-email]").await;
    page.open("/leads").await;
    page.wait_for("[data-test=login-email]").await;
    assert!(!page.is_visible("[data-test=lead-row]").await);
});
