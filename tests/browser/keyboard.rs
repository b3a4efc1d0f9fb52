//! Keyboard-only use of the panel.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::create_user;
use super::page::Page;
use crate::harness::PASSWORD;

/// More Tab stops than lie between two elements of a page.
const MAX_TAB_STOPS: usize = 40;

journey!(login_and_filter_work_by_keyboard, async |page, server| {
    let email = create_user(server, Role::Viewer).await;
    page.open("/leads").await;
    page.wait_for("[data-test=login-email]").await;
    tab_to(page, "[data-test=login-email]").await;
    page.type_keys(&email).await;
    tab_to(page, "[data-test=login-password]").await;
    page.type_keys(PASSWORD).await;
    page.type_keys(&Key::Enter).await;
    page.wait_for("[data-test=lead-row]").await;

    tab_to(page, "[data-test=add-condition]").await;
    page.type_keys(&Key::Enter).await;
    page.wait_for("[data-test=condition]").await;
    // The new line is before the button that added it.
    press_until_focused(page, "[data-test=condition] [aria-label=Field]", &(Key::Shift + &Key::Tab)).await;
    page.type_keys("cit").await;
    page.wait_for("[data-test=field-option][data-key=city][aria-selected=true]").await;
    page.type_keys(&Key::Enter).await;
    page.wait_until_equal("the field is picked", json!("City"), async || shown_field(page).await).await;
    // The value input already has the focus.
    page.wait_for("[data-test=condition] [data-test=value]:focus").await;
    page.type_keys("Madrid").await;
    tab_to(page, "[data-test=apply]").await;
    page.type_keys(&Key::Enter).await;

    let filter = json!({ "city": "Madrid", "limit": "0;0" });
    let total = server.admin().count_leads(filter).await;
    assert!(total > 1);
    page.expect_text("[data-test=total]", &format!("{total} leads")).await;
});

async fn tab_to(page: &Page, css: &str) {
    press_until_focused(page, css, &Key::Tab).await;
}

/// Presses a key until an element has the focus, and checks that its focus is visible.
async fn press_until_focused(page: &Page, css: &str, key: &str) {
    for _ in 0..MAX_TAB_STOPS {
        if page.run_script("return document.activeElement.matches(arguments[0])", css).await == json!(true) {
            assert_eq!(
                page.run_script(FOCUS_VISIBLE_SCRIPT, Value::Null).await,
                json!(true),
                "{css} has no focus indicator"
            );
            return;
        }
        page.type_keys(key).await;
    }
    panic!("{css} can't be reached with Tab");
}

const FOCUS_VISIBLE_SCRIPT: &str = "const style = getComputedStyle(document.activeElement);
    const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
    return document.activeElement.matches(':focus-visible') && (outlined || style.boxShadow !== 'none')";

/// Returns the displayed field of the only condition.
async fn shown_field(page: &Page) -> Value {
    page.run_script("return document.querySelector('[data-test=condition] [aria-label=Field]').value", Value::Null)
        .await
}
