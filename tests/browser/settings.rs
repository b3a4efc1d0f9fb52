//! Users, own password, statuses and the audit log.

use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::{log_in, submit_login};
use super::page::Page;
use crate::harness::{PASSWORD, Server, log_in as log_in_by_api};

const NEW_PASSWORD: &str = "another good one";

journey!(user_can_be_changed_deactivated_and_reactivated, async |page, server| {
    let zoe_id = server.create_user("zoe@example.com", "viewer").await;
    let can_log_in =
        async |password: &str| log_in_by_api(&server.anonymous(), "zoe@example.com", password).await.status == 200;
    log_in(page, server, Role::Admin, "/settings?tab=keys").await;
    // URLs as typed by users.
    page.open("/settings/audit?action=user").await;
    page.expect_location("/settings?tab=audit&action=user").await;
    page.run_script("history.back()", Value::Null).await;
    page.expect_location("/settings?tab=keys").await;
    page.open("/settings/users").await;
    page.expect_location("/settings?tab=users").await;

    let row = format!("[data-test=user-row][data-id='{zoe_id}']");
    page.click(&format!("{row} [data-test=change]")).await;
    page.click("[data-test=role-manager]").await;
    page.fill("[data-test=change-user] [data-test=user-password]", NEW_PASSWORD).await;
    page.click("[data-test=change-user] [data-test=save]").await;
    page.expect_text(&format!("{row} .badge"), "Manager").await;
    assert!(can_log_in(NEW_PASSWORD).await && !can_log_in(PASSWORD).await);

    let zoes_session = server.panel_client(&log_in_by_api(&server.anonymous(), "zoe@example.com", NEW_PASSWORD).await);
    page.click(&format!("{row} [data-test=change]")).await;
    page.click("[data-test=change-user] [data-test=end-sessions]").await;
    page.wait_until_gone("[data-test=change-user] [data-test=end-sessions]").await;
    assert_eq!(zoes_session.status("/api/sessions").await, 401);

    page.click(&format!("{row} [data-test=deactivate]")).await;
    page.click("[data-test=confirm]").await;
    page.expect_text(&format!("{row} .tone-warning"), "Deactivated").await;
    assert!(!can_log_in(NEW_PASSWORD).await);
    page.click(&format!("{row} [data-test=activate]")).await;
    page.wait_for(&format!("{row} [data-test=deactivate]")).await;
    // The change is shown before the server confirms it.
    page.wait_until("the user can log in", async || can_log_in(NEW_PASSWORD).await.then_some(())).await;

    // A failed change is reverted.
    page.click(&format!("{row} [data-test=deactivate]")).await;
    page.click("[data-test=confirm]").await;
    page.wait_for(&format!("{row} [data-test=activate]")).await;
    server.admin().delete(&format!("/api/users/{zoe_id}")).await.expect(204);
    page.click(&format!("{row} [data-test=activate]")).await;
    page.wait_for("[data-test=toast].toast-failure").await;
    page.wait_for(&format!("{row} [data-test=activate]")).await;

    let own_row = "[data-test=user-row]:not([data-id='{zoe}'])".replace("{zoe}", &zoe_id.to_string());
    assert!(!page.is_visible(&format!("{own_row} [data-test=remove]")).await, "users can't remove themselves");

    page.click("[data-test=new-user]").await;
    page.fill("[data-test=user-email]", "yan@example.com").await;
    page.fill("[data-test=user-dialog] [data-test=user-password]", "short").await;
    page.click("[data-test=user-dialog] [data-test=create]").await;
    page.wait_for("[data-test=user-dialog] [data-test=diagnostic]").await;
    page.fill("[data-test=user-dialog] [data-test=user-password]", NEW_PASSWORD).await;
    page.wait_until_gone("[data-test=diagnostic]").await;
    page.click("[data-test=user-dialog] [data-test=create]").await;
    page.wait_until_gone("[data-test=user-dialog][open]").await;
});

journey!(changing_own_password_keeps_the_session, async |page, server| {
    log_in(page, server, Role::Viewer, "/leads").await;
    page.click("[data-test=user-menu]").await;
    page.click("[data-test=account]").await;
    page.expect_location("/settings?tab=account").await;
    change_password(page, "not the password").await;
    page.expect_text("[data-test=diagnostic]", "The current password is wrong.").await;
    page.fill("[data-test=current-password]", PASSWORD).await;
    page.wait_until_gone("[data-test=diagnostic]").await;
    page.fill("[data-test=new-password]", "password1234").await;
    page.click("[data-test=change-password]").await;
    page.wait_for("[data-test=diagnostic][data-code=common_password]").await;
    change_password(page, PASSWORD).await;
    page.wait_for("[data-test=toast]").await;
    page.wait_until_gone("[data-test=diagnostic]").await;

    page.open("/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.click("[data-test=user-menu]").await;
    page.click("[data-test=log-out]").await;
    submit_login(page, "viewer@example.com", NEW_PASSWORD).await;
    page.wait_for("[data-test=lead-row]").await;
});

journey!(own_sessions_are_listed_and_can_be_ended_in_settings, async |page, server| {
    log_in(page, server, Role::Viewer, "/settings?tab=account").await;
    page.wait_for("[data-test=session-row][data-current=true]").await;
    page.expect_text("[data-test=session-row] [data-test=session-name]", "Chrome on Linux").await;
    assert!(
        !page.is_visible("[data-test=end-other-sessions]").await && !page.is_visible("[data-test=end-session]").await
    );

    let phone_client =
        server.anonymous().with_header("user-agent", "Mozilla/5.0 (iPhone) Version/17.5 Safari/605.1.15");
    let log_in_on_phone =
        async || server.panel_client(&log_in_by_api(&phone_client, "viewer@example.com", PASSWORD).await);
    let (first_session, second_session) = (log_in_on_phone().await, log_in_on_phone().await);
    page.reload().await;
    let row = "[data-test=session-row][data-current=false]";
    page.expect_text(&format!("{row} [data-test=session-name]"), "Safari on iPhone").await;
    page.click(&format!("{row} [data-test=end-session]")).await;
    page.expect_text("[data-test=confirm-dialog] h2", "End session in Safari on iPhone?").await;
    page.click("[data-test=confirm]").await;
    page.wait_until_gone(&format!("{row} ~ {row}")).await;
    assert_eq!([first_session.status("/api/sessions").await, second_session.status("/api/sessions").await], [200, 401]);

    page.click("[data-test=end-other-sessions]").await;
    page.click("[data-test=confirm]").await;
    page.wait_until_gone(row).await;
    assert_eq!(first_session.status("/api/sessions").await, 401);
    page.wait_for("[data-test=session-row][data-current=true]").await;
});

async fn change_password(page: &Page, current: &str) {
    page.fill("[data-test=current-password]", current).await;
    page.fill("[data-test=new-password]", NEW_PASSWORD).await;
    page.click("[data-test=change-password]").await;
}

journey!(status_can_be_added_moved_changed_and_removed, async |page, server| {
    log_in(page, server, Role::Manager, "/settings?tab=statuses").await;
    let names_before = status_names(server).await;
    page.click("[data-test=new-status]").await;
    page.fill("[data-test=status-label]", "Call back later").await;
    page.wait_until_equal("the name follows the label", "call_back_later".to_owned(), async || {
        page.wait_for("[data-test=status-name]").await.prop("value").await.unwrap().unwrap_or_default()
    })
    .await;
    // A diagnostic from the server applies to the submitted value.
    page.fill("[data-test=status-name]", "Has Blank").await;
    page.click("[data-test=status-dialog] [data-test=save]").await;
    page.wait_for("[data-test=status-dialog] [data-test=diagnostic]").await;
    page.fill("[data-test=status-name]", "call_back_later").await;
    page.wait_until_gone("[data-test=diagnostic]").await;
    page.click("[data-test=status-dialog] [data-test=save]").await;

    let row = "[data-name=call_back_later]";
    page.click(&format!("{row} [data-test=up]")).await;
    // The buttons at both ends of the list are disabled.
    page.wait_for("[data-test=status-row]:first-child [data-test=up]:disabled").await;
    page.wait_for("[data-test=status-row]:last-child [data-test=down]:disabled").await;
    let mut expected_names = names_before.clone();
    expected_names.insert(names_before.len() - 1, "call_back_later".to_owned());
    page.expect_attributes("[data-test=status-row]", "data-name", &expected_names).await;
    // The new order is shown before the server confirms it.
    page.wait_until_equal("the server has the new order", expected_names, async || status_names(server).await).await;

    page.click(&format!("{row} [data-test=edit]")).await;
    page.fill("[data-test=status-label]", "Not before June").await;
    page.click("[data-test=status-dialable]").await;
    page.click("[data-test=status-dialog] [data-test=save]").await;
    page.expect_text(&format!("{row} .lead-cell"), "Not before June").await;
    page.expect_text(&format!("{row} [data-label=Callable]"), "No").await;

    // Undo restores a removed status at its position.
    let names_with_new = status_names(server).await;
    page.click(&format!("{row} [data-test=remove]")).await;
    page.wait_until_gone(row).await;
    assert_eq!(status_names(server).await, names_before);
    page.click("[data-test=undo]").await;
    page.expect_attributes("[data-test=status-row]", "data-name", &names_with_new).await;
    page.expect_text(&format!("{row} .lead-cell"), "Not before June").await;

    page.click("[data-name=new] [data-test=remove]").await;
    page.expect_text("[data-test=status-in-use] h2", "“New” is in use").await;
    assert_eq!(status_names(server).await, names_with_new, "a status in use can't be removed");
    let text = page.text("[data-test=status-in-use] p").await;
    let leads = text.split(' ').next().unwrap();
    assert_eq!(text, format!("{leads} leads have the status “New”. Change their status first."));
    page.click("[data-test=show-leads]").await;
    page.expect_text("[data-test=total]", &format!("{leads} leads")).await;
    page.wait_for("[data-test=lead-row]").await;
});

/// Records every displayed order of the statuses.
const RECORD_ORDERS_SCRIPT: &str =
    "const shown = () => [...document.querySelectorAll('[data-test=status-row]')].map(row => row.dataset.name).join();
    window.orders = [shown()];
    new MutationObserver(() => window.orders.at(-1) !== shown() && window.orders.push(shown()))
        .observe(document.querySelector('tbody'), { childList: true, subtree: true });";

journey!(rejected_order_is_reverted, async |page, server| {
    log_in(page, server, Role::Manager, "/settings?tab=statuses").await;
    let original_order = status_names(server).await;
    let mut new_order = original_order.clone();
    new_order.swap(0, 1);
    let up_button = format!("[data-name={}] [data-test=up]", original_order[1]);
    page.wait_for(&up_button).await;
    page.run_script(RECORD_ORDERS_SCRIPT, Value::Null).await;
    let expected_orders = json!([original_order.join(","), new_order.join(","), original_order.join(",")]);
    let recorded_orders = async || page.run_script("return window.orders", Value::Null).await;

    // Another session adds a status, so the server rejects the incomplete order.
    server.admin().put("/api/statuses/later", r#"{"label":"Later","dialable":true}"#).await.expect(200);
    page.click(&up_button).await;
    page.wait_for("[data-test=toast].toast-failure").await;
    page.wait_until_equal("the recorded orders match", expected_orders.clone(), recorded_orders).await;
    let focused_element =
        async || page.run_script("return document.activeElement.dataset.test ?? null", Value::Null).await;
    page.wait_until_equal("the focus stays on the button", json!("up"), focused_element).await;
    page.click("[data-test=toast].toast-failure button").await;
    page.wait_until_gone("[data-test=toast]").await;

    // The order is also reverted without a connection.
    page.run_script("window.orders.length = 1", Value::Null).await;
    page.devtools_command("Network.enable", json!({})).await;
    page.devtools_command("Network.setBlockedURLs", json!({ "urls": ["*/api/statuses"] })).await;
    page.click(&up_button).await;
    page.wait_for("[data-test=toast].toast-failure").await;
    page.wait_until_equal("the recorded orders match", expected_orders, recorded_orders).await;
    page.devtools_command("Network.setBlockedURLs", json!({ "urls": [] })).await;
    assert_eq!(status_names(server).await[..original_order.len()], original_order);
});

async fn status_names(server: &Server) -> Vec<String> {
    let list = server.admin().get("/api/statuses").await.expect(200);
    list["items"].as_array().unwrap().iter().map(|status| status["name"].as_str().unwrap().to_owned()).collect()
}

journey!(audit_log_filters_are_in_the_url, async |page, server| {
    server.admin().put("/api/statuses/later", r#"{"label":"Later","dialable":true}"#).await.expect(200);
    log_in(page, server, Role::Admin, "/settings?tab=audit").await;
    page.wait_for("[data-test=audit-row]").await;
    page.select_option("[aria-label=Action]", "status").await;
    page.expect_text("[data-test=total]", "1 entry").await;
    page.expect_location("/settings?tab=audit&action=status").await;
    page.reload().await;
    page.expect_text("[data-test=total]", "1 entry").await;
    page.expect_text("[data-test=audit-row] [data-label=Action]", "Status saved").await;
    page.wait_for("[data-test=audit-row] a[href='/settings?tab=statuses']").await;
    page.fill("[data-test=audit-subject]", "Status later").await;
    page.expect_text("[data-test=total]", "1 entry").await;
    page.fill("[data-test=audit-subject]", "lead #17").await;
    page.expect_location("/settings?tab=audit&action=status&subject=lead%20%2317").await;
    page.expect_text("[data-test=empty-state] h2", "No matching entries").await;
    page.wait_for("[data-test=audit-lead-filter] a[href='/leads/17']").await;
    page.click("[data-test=empty-state] button").await;
    page.expect_location("/settings?tab=audit").await;
    page.wait_for("[data-test=audit-row]").await;

    // A deleted lead has no page that could be linked.
    let lead = server.admin().create("/api/leads", json!({ "city": "Testhausen" })).await;
    server.admin().delete(&format!("/api/leads/{lead}")).await.expect(204);
    page.open(&format!("/settings?tab=audit&subject=lead:{lead}")).await;
    page.expect_text("[data-test=total]", "2 entries").await;
    assert!(!page.is_visible("[data-test=audit-lead-filter]").await);
    page.open("/settings?tab=audit").await;
    page.wait_for("[data-test=audit-row]").await;

    // Retention periods have their own tab, which the palette finds.
    page.type_keys("\u{e009}k").await;
    page.fill("[data-test=palette-input]", "retention").await;
    page.type_keys("\u{e007}").await;
    page.expect_location("/settings?tab=retention").await;
    page.expect_text("[data-test=retention] .description-item:first-child dd .strong", "Forever").await;
    page.expect_text("[data-test=retention] .description-item:last-child dd .strong", "30 days").await;
    page.expect_text("[data-test=retention] .description-item:nth-child(2) dd .strong", "Forever").await;
    let transcripts_text = page.text("[data-test=retention] .description-item:nth-child(2) dd p").await;
    assert!(transcripts_text.starts_with("Never deleted automatically."), "{transcripts_text}");
    let options = page.texts("[data-test=retention] code").await;
    assert_eq!(
        options,
        [
            "LEADSCRIBE_TRANSCRIPT_DAYS",
            "LEADSCRIBE_RECORDING_DAYS",
            "LEADSCRIBE_DELIVERY_DAYS",
            "LEADSCRIBE_CHANGE_DAYS"
        ]
    );
    assert!(page.text("[data-test=retention-source]").await.contains("The server operator"));
});
