//! Logging in and out, and returning to the requested page.

use leadscribe_engine::api::Role;

use super::journey;
use super::page::Page;
use crate::harness::{PASSWORD, Server};

/// Creates a user with this role and returns the e-mail address.
pub async fn add_staff(server: &Server, role: Role) -> String {
    let email = format!("{role}@example.com");
    server.user(&email, role.as_str()).await;
    email
}

/// Creates a user with this role and logs in on the way to `place`.
pub async fn log_in(page: &Page, server: &Server, role: Role, place: &str) {
    let email = add_staff(server, role).await;
    page.open(place).await;
    fill_in(page, &email, PASSWORD).await;
    page.is_at(place).await;
}

/// Fills in the log-in form.
pub async fn fill_in(page: &Page, email: &str, password: &str) {
    page.fill("[data-test=login-email]", email).await;
    page.fill("[data-test=login-password]", password).await;
    page.click("[data-test=login-submit]").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deep_link_returns_after_login() {
    journey("deep_link", async |page, server| {
        let email = add_staff(server, Role::Manager).await;
        page.open("/calls?recording=failed").await;
        page.see("[data-test=login-email]").await;

        fill_in(page, &email, "not the password").await;
        page.shows("[data-test=error] strong", "Incorrect e-mail or password").await;
        assert!(!page.sees("[data-test=call-row]").await);

        fill_in(page, &email, PASSWORD).await;
        page.is_at("/calls?recording=failed").await;
        page.shows("[data-test=total]", "1 call").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn session_survives_reload_and_ends_at_logout() {
    journey("log_out", async |page, server| {
        log_in(page, server, Role::Manager, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.reload().await;
        page.see("[data-test=lead-row]").await;
        page.is_at("/leads").await;

        page.click("[data-test=user-menu]").await;
        page.click("[data-test=log-out]").await;
        page.see("[data-test=login-email]").await;
        page.open("/leads").await;
        page.see("[data-test=login-email]").await;
        assert!(!page.sees("[data-test=lead-row]").await);
    })
    .await;
}
