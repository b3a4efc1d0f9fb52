//! Keyboard-only use of the panel.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::add_staff;
use super::page::Page;
use crate::harness::{PASSWORD, body};

/// More Tab stops than lie between two elements of a page.
const MOST_TABS: usize = 40;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn login_and_filter_work_by_keyboard() {
    journey("keyboard", async |page, server| {
        let email = add_staff(server, Role::Viewer).await;
        page.open("/leads").await;
        page.see("[data-test=login-email]").await;
        tab_to(page, "[data-test=login-email]").await;
        page.press(&email).await;
        tab_to(page, "[data-test=login-password]").await;
        page.press(PASSWORD).await;
        page.press(&Key::Enter).await;
        page.see("[data-test=lead-row]").await;

        tab_to(page, "[data-test=add-condition]").await;
        page.press(&Key::Enter).await;
        page.see("[data-test=condition]").await;
        // The new line is before the button that added it.
        go_to(page, "[data-test=condition] [aria-label=Field]", &(Key::Shift + &Key::Tab)).await;
        page.press("cit").await;
        page.see("[data-test=field-option][data-key=city][aria-selected=true]").await;
        page.press(&Key::Enter).await;
        page.until_equal("the field is picked", json!("City"), async || field(page).await).await;
        // The value input already has the focus.
        page.see("[data-test=condition] [data-test=value]:focus").await;
        page.press("Madrid").await;
        tab_to(page, "[data-test=apply]").await;
        page.press(&Key::Enter).await;

        let filter = json!({ "city": "Madrid", "limit": "0;0" });
        let found = server.admin().put("/api/leads/extended-data", body(filter)).await.expect(200);
        let total = found["total_leads"].as_u64().unwrap();
        assert!(total > 1);
        page.shows("[data-test=total]", &format!("{total} leads")).await;
    })
    .await;
}

async fn tab_to(page: &Page, css: &str) {
    go_to(page, css, &Key::Tab).await;
}

/// Presses a key until an element has the focus, and checks that its focus is visible.
async fn go_to(page: &Page, css: &str, key: &str) {
    for _ in 0..MOST_TABS {
        if page.run("return document.activeElement.matches(arguments[0])", css).await == json!(true) {
            assert_eq!(
                page.run(FOCUS_IS_SEEN, Value::Null).await,
                json!(true),
                "{css} doesn't show that it has the focus"
            );
            return;
        }
        page.press(key).await;
    }
    panic!("{css} can't be reached with Tab");
}

const FOCUS_IS_SEEN: &str = "const style = getComputedStyle(document.activeElement);
    const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
    return document.activeElement.matches(':focus-visible') && (outlined || style.boxShadow !== 'none')";

/// Returns the displayed field of the only condition.
async fn field(page: &Page) -> Value {
    page.run("return document.querySelector('[data-test=condition] [aria-label=Field]').value", Value::Null).await
}
