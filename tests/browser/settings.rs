//! Users, own password, statuses and the audit log.

use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::{fill_in, log_in};
use super::page::Page;
use crate::harness::{PASSWORD, Server, log_in as log_in_by_api};

const NEW_PASSWORD: &str = "another good one";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn user_can_be_changed_deactivated_and_reactivated() {
    journey("staff", async |page, server| {
        let zoe = server.user("zoe@example.com", "viewer").await;
        let admits =
            async |password: &str| log_in_by_api(&server.anonymous(), "zoe@example.com", password).await.status == 200;
        log_in(page, server, Role::Admin, "/settings?tab=keys").await;
        // URLs as typed by users.
        page.open("/settings/audit?action=user").await;
        page.is_at("/settings?tab=audit&action=user").await;
        page.run("history.back()", Value::Null).await;
        page.is_at("/settings?tab=keys").await;
        page.open("/settings/users").await;
        page.is_at("/settings?tab=users").await;

        let row = format!("[data-test=user-row][data-id='{zoe}']");
        page.click(&format!("{row} [data-test=change]")).await;
        page.click("[data-test=role-manager]").await;
        page.fill("[data-test=change-user] [data-test=user-password]", NEW_PASSWORD).await;
        page.click("[data-test=change-user] [data-test=save]").await;
        page.shows(&format!("{row} .badge"), "Manager").await;
        assert!(admits(NEW_PASSWORD).await && !admits(PASSWORD).await);

        let zoes = server.panel(&log_in_by_api(&server.anonymous(), "zoe@example.com", NEW_PASSWORD).await);
        page.click(&format!("{row} [data-test=change]")).await;
        page.click("[data-test=change-user] [data-test=end-sessions]").await;
        page.see_gone("[data-test=change-user] [data-test=end-sessions]").await;
        assert_eq!(zoes.status("/api/sessions").await, 401);

        page.click(&format!("{row} [data-test=deactivate]")).await;
        page.click("[data-test=confirm]").await;
        page.shows(&format!("{row} .tone-warning"), "Deactivated").await;
        assert!(!admits(NEW_PASSWORD).await);
        page.click(&format!("{row} [data-test=activate]")).await;
        page.see(&format!("{row} [data-test=deactivate]")).await;
        // The change is shown before the server confirms it.
        page.until("they are let in", async || admits(NEW_PASSWORD).await.then_some(())).await;

        // A failed change is reverted.
        page.click(&format!("{row} [data-test=deactivate]")).await;
        page.click("[data-test=confirm]").await;
        page.see(&format!("{row} [data-test=activate]")).await;
        server.admin().delete(&format!("/api/users/{zoe}")).await.expect(204);
        page.click(&format!("{row} [data-test=activate]")).await;
        page.see("[data-test=toast].toast-failure").await;
        page.see(&format!("{row} [data-test=activate]")).await;

        let own = "[data-test=user-row]:not([data-id='{zoe}'])".replace("{zoe}", &zoe.to_string());
        assert!(!page.sees(&format!("{own} [data-test=remove]")).await, "nobody removes themselves");

        page.click("[data-test=new-user]").await;
        page.fill("[data-test=user-email]", "yan@example.com").await;
        page.fill("[data-test=user-dialog] [data-test=user-password]", "short").await;
        page.click("[data-test=user-dialog] [data-test=create]").await;
        page.see("[data-test=user-dialog] [data-test=fault]").await;
        page.fill("[data-test=user-dialog] [data-test=user-password]", NEW_PASSWORD).await;
        page.see_gone("[data-test=fault]").await;
        page.click("[data-test=user-dialog] [data-test=create]").await;
        page.see_gone("[data-test=user-dialog][open]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changing_own_password_keeps_the_session() {
    journey("own_password", async |page, server| {
        log_in(page, server, Role::Viewer, "/leads").await;
        page.click("[data-test=user-menu]").await;
        page.click("[data-test=account]").await;
        page.is_at("/settings?tab=account").await;
        change_password(page, "not the password").await;
        page.shows("[data-test=fault]", "The current password is wrong.").await;
        page.fill("[data-test=current-password]", PASSWORD).await;
        page.see_gone("[data-test=fault]").await;
        page.fill("[data-test=new-password]", "password1234").await;
        page.click("[data-test=change-password]").await;
        page.see("[data-test=fault][data-code=common_password]").await;
        change_password(page, PASSWORD).await;
        page.see("[data-test=toast]").await;
        page.see_gone("[data-test=fault]").await;

        page.open("/leads").await;
        page.see("[data-test=lead-row]").await;
        page.click("[data-test=user-menu]").await;
        page.click("[data-test=log-out]").await;
        fill_in(page, "viewer@example.com", NEW_PASSWORD).await;
        page.see("[data-test=lead-row]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn own_sessions_are_listed_and_can_be_ended_in_settings() {
    journey("own_sessions", async |page, server| {
        log_in(page, server, Role::Viewer, "/settings?tab=account").await;
        page.see("[data-test=session-row][data-current=true]").await;
        page.shows("[data-test=session-row] [data-test=session-name]", "Chrome on Linux").await;
        assert!(!page.sees("[data-test=end-others]").await && !page.sees("[data-test=end-session]").await);

        let phone = server.anonymous().with_header("user-agent", "Mozilla/5.0 (iPhone) Version/17.5 Safari/605.1.15");
        let elsewhere = async || server.panel(&log_in_by_api(&phone, "viewer@example.com", PASSWORD).await);
        let (one, other) = (elsewhere().await, elsewhere().await);
        page.reload().await;
        let row = "[data-test=session-row][data-current=false]";
        page.shows(&format!("{row} [data-test=session-name]"), "Safari on iPhone").await;
        page.click(&format!("{row} [data-test=end-session]")).await;
        page.shows("[data-test=confirm-dialog] h2", "End session in Safari on iPhone?").await;
        page.click("[data-test=confirm]").await;
        page.see_gone(&format!("{row} ~ {row}")).await;
        assert_eq!([one.status("/api/sessions").await, other.status("/api/sessions").await], [200, 401]);

        page.click("[data-test=end-others]").await;
        page.click("[data-test=confirm]").await;
        page.see_gone(row).await;
        assert_eq!(one.status("/api/sessions").await, 401);
        page.see("[data-test=session-row][data-current=true]").await;
    })
    .await;
}

async fn change_password(page: &Page, current: &str) {
    page.fill("[data-test=current-password]", current).await;
    page.fill("[data-test=new-password]", NEW_PASSWORD).await;
    page.click("[data-test=change-password]").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn status_can_be_added_moved_changed_and_removed() {
    journey("statuses", async |page, server| {
        log_in(page, server, Role::Manager, "/settings?tab=statuses").await;
        let before = names(server).await;
        page.click("[data-test=new-status]").await;
        page.fill("[data-test=status-label]", "Call back later").await;
        page.until_equal("the name follows the label", "call_back_later".to_owned(), async || {
            page.see("[data-test=status-name]").await.prop("value").await.unwrap().unwrap_or_default()
        })
        .await;
        // A fault from the server applies to the submitted value.
        page.fill("[data-test=status-name]", "Has Blank").await;
        page.click("[data-test=status-dialog] [data-test=save]").await;
        page.see("[data-test=status-dialog] [data-test=fault]").await;
        page.fill("[data-test=status-name]", "call_back_later").await;
        page.see_gone("[data-test=fault]").await;
        page.click("[data-test=status-dialog] [data-test=save]").await;

        let row = "[data-name=call_back_later]";
        page.click(&format!("{row} [data-test=up]")).await;
        // The buttons at both ends of the list are disabled.
        page.see("[data-test=status-row]:first-child [data-test=up]:disabled").await;
        page.see("[data-test=status-row]:last-child [data-test=down]:disabled").await;
        let mut wanted = before.clone();
        wanted.insert(before.len() - 1, "call_back_later".to_owned());
        page.lists("[data-test=status-row]", "data-name", &wanted).await;
        // The new order is shown before the server confirms it.
        page.until_equal("the order of the server", wanted, async || names(server).await).await;

        page.click(&format!("{row} [data-test=edit]")).await;
        page.fill("[data-test=status-label]", "Not before June").await;
        page.click("[data-test=status-dialable]").await;
        page.click("[data-test=status-dialog] [data-test=save]").await;
        page.shows(&format!("{row} .lead-cell"), "Not before June").await;
        page.shows(&format!("{row} [data-label=Callable]"), "No").await;

        // Undo restores a removed status at its position.
        let shown = names(server).await;
        page.click(&format!("{row} [data-test=remove]")).await;
        page.see_gone(row).await;
        assert_eq!(names(server).await, before);
        page.click("[data-test=undo]").await;
        page.lists("[data-test=status-row]", "data-name", &shown).await;
        page.shows(&format!("{row} .lead-cell"), "Not before June").await;

        page.click("[data-name=new] [data-test=remove]").await;
        page.shows("[data-test=status-in-use] h2", "“New” is in use").await;
        assert_eq!(names(server).await, shown, "one that leads have stays");
        let text = page.text("[data-test=status-in-use] p").await;
        let leads = text.split(' ').next().unwrap();
        assert_eq!(text, format!("{leads} leads have the status “New”. Change their status first."));
        page.click("[data-test=show-leads]").await;
        page.shows("[data-test=total]", &format!("{leads} leads")).await;
        page.see("[data-test=lead-row]").await;
    })
    .await;
}

/// Records every displayed order of the statuses.
const WATCH_ORDER: &str =
    "const shown = () => [...document.querySelectorAll('[data-test=status-row]')].map(row => row.dataset.name).join();
    window.orders = [shown()];
    new MutationObserver(() => window.orders.at(-1) !== shown() && window.orders.push(shown()))
        .observe(document.querySelector('tbody'), { childList: true, subtree: true });";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejected_order_is_reverted() {
    journey("statuses_refused", async |page, server| {
        log_in(page, server, Role::Manager, "/settings?tab=statuses").await;
        let before = names(server).await;
        let mut wanted = before.clone();
        wanted.swap(0, 1);
        let up = format!("[data-name={}] [data-test=up]", before[1]);
        page.see(&up).await;
        page.run(WATCH_ORDER, Value::Null).await;
        let shown = json!([before.join(","), wanted.join(","), before.join(",")]);
        let orders = async || page.run("return window.orders", Value::Null).await;

        // Another session adds a status, so the server rejects the incomplete order.
        server.admin().put("/api/statuses/later", r#"{"label":"Later","dialable":true}"#).await.expect(200);
        page.click(&up).await;
        page.see("[data-test=toast].toast-failure").await;
        page.until_equal("what was shown", shown.clone(), orders).await;
        let focused = async || page.run("return document.activeElement.dataset.test ?? null", Value::Null).await;
        page.until_equal("the focus stays on the button", json!("up"), focused).await;
        page.click("[data-test=toast].toast-failure button").await;
        page.see_gone("[data-test=toast]").await;

        // The order is also reverted without a connection.
        page.run("window.orders.length = 1", Value::Null).await;
        page.command("Network.enable", json!({})).await;
        page.command("Network.setBlockedURLs", json!({ "urls": ["*/api/statuses"] })).await;
        page.click(&up).await;
        page.see("[data-test=toast].toast-failure").await;
        page.until_equal("what was shown", shown, orders).await;
        page.command("Network.setBlockedURLs", json!({ "urls": [] })).await;
        assert_eq!(names(server).await[..before.len()], before);
    })
    .await;
}

async fn names(server: &Server) -> Vec<String> {
    let list = server.admin().get("/api/statuses").await.expect(200);
    list["items"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn audit_log_filters_are_in_the_url() {
    journey("audit_log", async |page, server| {
        server.admin().put("/api/statuses/later", r#"{"label":"Later","dialable":true}"#).await.expect(200);
        log_in(page, server, Role::Admin, "/settings?tab=audit").await;
        page.see("[data-test=audit-row]").await;
        page.choose("[aria-label=Action]", "status").await;
        page.shows("[data-test=total]", "1 entry").await;
        page.is_at("/settings?tab=audit&action=status").await;
        page.reload().await;
        page.shows("[data-test=total]", "1 entry").await;
        page.shows("[data-test=audit-row] [data-label=Action]", "Status saved").await;
        page.see("[data-test=audit-row] a[href='/settings?tab=statuses']").await;
        page.fill("[data-test=audit-subject]", "Status later").await;
        page.shows("[data-test=total]", "1 entry").await;
        page.fill("[data-test=audit-subject]", "lead #17").await;
        page.is_at("/settings?tab=audit&action=status&subject=lead%20%2317").await;
        page.shows("[data-test=empty] h2", "No matching entries").await;
        page.see("[data-test=audit-of-lead] a[href='/leads/17']").await;
        page.click("[data-test=empty] button").await;
        page.is_at("/settings?tab=audit").await;
        page.see("[data-test=audit-row]").await;

        // Other pages have no data of a deleted lead.
        let lead = server.admin().create("/api/leads", json!({ "city": "Testhausen" })).await;
        server.admin().delete(&format!("/api/leads/{lead}")).await.expect(204);
        page.open(&format!("/settings?tab=audit&subject=lead:{lead}")).await;
        page.shows("[data-test=total]", "2 entries").await;
        assert!(!page.sees("[data-test=audit-of-lead]").await);
        page.open("/settings?tab=audit").await;
        page.see("[data-test=audit-row]").await;

        // Retention periods have their own heading, which the palette finds.
        page.press("\u{e009}k").await;
        page.fill("[data-test=palette-input]", "retention").await;
        page.press("\u{e007}").await;
        page.is_at("/settings?tab=retention").await;
        page.shows("[data-test=retention] .fact:first-child dd .strong", "forever").await;
        page.shows("[data-test=retention] .fact:last-child dd .strong", "30 days").await;
        page.shows("[data-test=retention] .fact:nth-child(2) dd .strong", "forever").await;
        let of_transcripts = page.text("[data-test=retention] .fact:nth-child(2) dd p").await;
        assert!(of_transcripts.starts_with("Never deleted automatically."), "{of_transcripts}");
        let options = page.texts("[data-test=retention] code").await;
        assert_eq!(options, ["LEADSCRIBE_TRANSCRIPT_DAYS", "LEADSCRIBE_RECORDING_DAYS", "LEADSCRIBE_DELIVERY_DAYS"]);
        assert!(page.text("[data-test=retention-by]").await.contains("The server operator"));
    })
    .await;
}
