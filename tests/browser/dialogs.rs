//! Dialogs: Cancel is next to the main action, and unnecessary confirmations are absent.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::login::log_in;
use super::{journey, stage, visit};

type Way = (&'static str, &'static [&'static str], &'static str);

/// Page of each dialog with a main action, the clicks that open it, and its name.
const DIALOGS: [Way; 14] = [
    ("/settings?tab=users", &["[data-test=new-user]"], "user-dialog"),
    ("/settings?tab=users", &["[data-test=change]"], "change-user"),
    ("/settings?tab=users", &["[data-test=remove]"], "confirm-dialog"),
    ("/settings?tab=keys", &["[data-test=new-key]"], "key-dialog"),
    ("/settings?tab=tokens", &["[data-test=new-token]"], "token-dialog"),
    ("/settings?tab=statuses", &["[data-test=new-status]"], "status-dialog"),
    ("/leads", &["[data-test=views] summary", "[data-test=view-save-as]"], "view-dialog"),
    ("/leads", &["[data-test=select-lead]", "[data-test=act-status]"], "lead-action"),
    ("/leads/1", &["[data-test=put-into-campaign]"], "put-into-campaign"),
    ("/leads/1", &["[data-test=change-in-campaign]"], "change-in-campaign"),
    ("/leads/1", &["[data-test=delete-lead]"], "confirm-dialog"),
    ("/calls", &["[data-test=select-call]", "[data-test=send]"], "send-dialog"),
    ("/transcripts", &["[data-test=deliver]"], "deliver-dialog"),
    ("/deliveries/1", &["[data-test=replay]"], "confirm-dialog"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancel_is_next_to_the_main_action_of_every_dialog() {
    let server = stage::server().await;
    visit("dialogs", server.base(), async |page| {
        stage::enter(page).await;
        for (place, presses, dialog) in DIALOGS {
            page.open(place).await;
            for press in presses {
                page.click(press).await;
            }
            // A button and a dialog may have the same name.
            let dialog = format!("dialog[data-test={dialog}]");
            page.see(&format!("{dialog} .dialog-foot [data-test=cancel] ~ *")).await;
            // The focus is in the dialog's content, not on its close button, and returns to the page afterwards.
            page.see(&format!("{dialog} > :not(.dialog-head) :focus")).await;
            page.click(&format!("{dialog} .dialog-foot [data-test=cancel]")).await;
            page.see_gone(&dialog).await;
            page.see("#main:focus-within").await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn escape_keeps_dialog_input() {
    journey("dialog_filled", async |page, server| {
        log_in(page, server, Role::Manager, "/settings?tab=statuses").await;
        let (dialog, question) = ("dialog[data-test=status-dialog]", "[data-test=discard-question]");
        let label = "[data-test=status-label]";
        let begin = async || {
            page.click("[data-test=new-status]").await;
            page.see(dialog).await;
            page.see(&format!("{label}:focus")).await;
        };
        // Without input, Escape closes the dialog.
        begin().await;
        page.press(&Key::Escape).await;
        page.see_gone(dialog).await;

        begin().await;
        page.fill(label, "Call back later").await;
        page.press(&Key::Escape).await;
        page.see("[data-test=keep-filled]:focus").await;
        page.press(&Key::Escape).await;
        page.see_gone(question).await;
        page.see(&format!("{label}:focus")).await;
        let typed = async || page.run("return document.querySelector(arguments[0]).value", label).await;
        assert_eq!(typed().await, "Call back later");
        page.click(&format!("{dialog} .dialog-head button")).await;
        page.click("[data-test=keep-filled]").await;
        page.see_gone(question).await;
        assert_eq!(typed().await, "Call back later");
        page.click(&format!("{dialog} .dialog-head button")).await;
        page.click("[data-test=discard-filled]").await;
        page.see_gone(dialog).await;
        begin().await;
        assert_eq!(typed().await, "");
        // Cancel needs no confirmation.
        page.fill(label, "Not before June").await;
        page.click(&format!("{dialog} [data-test=cancel]")).await;
        page.see_gone(dialog).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn navigation_keeps_dialog_input() {
    journey("dialog_elsewhere", async |page, server| {
        let (name, question) = ("[data-test=new-name]", "[data-test=discard-question]");
        log_in(page, server, Role::Manager, "/calls").await;
        page.click(".sidebar [href='/leads']").await;
        page.click("[data-test=views] summary").await;
        page.click("[data-test=view-save-as]").await;
        page.fill(name, "Great Britain").await;
        page.run("history.back()", Value::Null).await;
        page.see("[data-test=keep-filled]:focus").await;
        page.is_at("/leads").await;
        page.click("[data-test=keep-filled]").await;
        page.see_gone(question).await;
        page.see(&format!("{name}:focus")).await;

        page.press(&(Key::Control + "k")).await;
        page.see("[data-test=palette-input]").await;
        page.press("deliveries").await;
        page.press(&Key::Enter).await;
        page.see(question).await;
        page.is_at("/leads").await;
        let typed = page.run("return document.querySelector(arguments[0]).value", name).await;
        assert_eq!(typed, "Great Britain");
        let asks = "const closing = new Event('beforeunload', { cancelable: true });
             window.dispatchEvent(closing);
             return closing.defaultPrevented";
        assert_eq!(page.run(asks, Value::Null).await, true);

        // Discarding the input continues the blocked navigation.
        page.click("[data-test=discard-filled]").await;
        page.is_at("/deliveries").await;
        page.see_gone("dialog[data-test=view-dialog]").await;
        assert_eq!(page.run(asks, Value::Null).await, false);
        page.run("history.back()", Value::Null).await;
        page.is_at("/leads").await;
        page.click("[data-test=views] summary").await;
        page.click("[data-test=view-save-as]").await;
        page.fill(name, "Great Britain").await;
        // A second attempt asks for confirmation again.
        for _ in 0..2 {
            page.run("history.back()", Value::Null).await;
            page.see(question).await;
        }
        page.is_at("/leads").await;
        page.click("[data-test=discard-filled]").await;
        page.is_at("/calls").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn links_keep_dialog_input() {
    journey("dialog_link", async |page, server| {
        let (length, question) = ("[data-test=send-min-duration]", "[data-test=discard-question]");
        let to_tokens = "[data-test=send-dialog] a[href='/settings']";
        let begin = async || {
            page.click("[data-test=call-row]:first-child [data-test=select-call]").await;
            page.click("[data-test=send]").await;
        };
        log_in(page, server, Role::Admin, "/calls").await;
        begin().await;
        page.fill(length, "20").await;
        page.click(to_tokens).await;
        page.see("[data-test=keep-filled]:focus").await;
        page.is_at("/calls").await;
        page.click("[data-test=keep-filled]").await;
        page.see_gone(question).await;
        let typed = page.run("return document.querySelector(arguments[0]).value", length).await;
        assert_eq!(typed, "20");
        page.click(to_tokens).await;
        page.click("[data-test=discard-filled]").await;
        page.is_at("/settings").await;

        // Without input, no confirmation is needed.
        page.open("/calls").await;
        begin().await;
        page.click(to_tokens).await;
        page.is_at("/settings").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dialog_stays_open_while_its_request_is_pending() {
    journey("dialog_busy", async |page, server| {
        let dialog = "dialog[data-test=view-dialog]";
        let line =
            |latency| json!({ "offline": false, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1 });
        log_in(page, server, Role::Manager, "/calls").await;
        page.click(".sidebar [href='/leads']").await;
        page.see("[data-test=lead-row]").await;
        page.click("[data-test=views] summary").await;
        page.click("[data-test=view-save-as]").await;
        page.fill("[data-test=new-name]", "Great Britain").await;
        page.command("Network.enable", json!({})).await;
        page.command("Network.emulateNetworkConditions", line(10_000)).await;
        page.click(&format!("{dialog} [data-test=create]")).await;
        page.click(&format!("{dialog} [data-test=cancel][aria-disabled=true]")).await;
        page.press(&Key::Escape).await;
        page.run("history.back()", Value::Null).await;
        page.command("Network.emulateNetworkConditions", line(0)).await;

        // The result is shown.
        page.shows("[data-test=view-name]", "Great Britain").await;
        page.is_at("/leads?view=1").await;
        page.see("[data-test=toast].toast-success").await;
        page.see_gone(dialog).await;
    })
    .await;
}

/// Ways to enter data without typing.
const CHOSEN: [Way; 5] = [
    (
        "/leads",
        &["[data-test=select-lead]", "[data-test=act-do-not-call]", "[data-test=action-may-call]"],
        "lead-action",
    ),
    ("/transcripts", &["[data-test=deliver]", "[data-test=placeholder]"], "deliver-dialog"),
    (
        "/settings?tab=users",
        &["[data-test=change]", "[data-test=role-viewer]", "[data-test=role-admin]"],
        "change-user",
    ),
    ("/settings?tab=keys", &["[data-test=new-key]", "[data-test='scope-calls:read']"], "key-dialog"),
    (
        "/calls",
        &["[data-test=select-call]", "[data-test=send]", "[data-test=send-side] [aria-pressed=false]"],
        "send-dialog",
    ),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn escape_keeps_dialog_choices() {
    let server = stage::server().await;
    visit("dialog_chosen", server.base(), async |page| {
        stage::enter(page).await;
        for (place, presses, dialog) in CHOSEN {
            page.open(place).await;
            for press in presses {
                page.click(press).await;
            }
            let dialog = format!("dialog[data-test={dialog}]");
            page.press(&Key::Escape).await;
            page.see(&format!("{dialog} [data-test=keep-filled]")).await;
            page.click(&format!("{dialog} [data-test=discard-filled]")).await;
            page.see_gone(&dialog).await;
        }
        // Choosing the current value again is no change.
        page.open("/leads").await;
        for press in ["[data-test=select-lead]", "[data-test=act-do-not-call]", "[data-test=action-do-not-call]"] {
            page.click(press).await;
        }
        page.press(&Key::Escape).await;
        page.see_gone("dialog[data-test=lead-action]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_usable_token_is_preselected() {
    journey("only_token", async |page, server| {
        server.speech_token("Old").await;
        let revoked = server.admin().get("/api/speech-tokens").await.expect(200)["items"][0]["id"].clone();
        server.admin().delete(&format!("/api/speech-tokens/{revoked}")).await.expect(200);
        server.speech_token("Quality team").await;
        let ready = "/calls?recording=ready";
        log_in(page, server, Role::Manager, ready).await;
        let chosen = async || {
            page.open(ready).await;
            page.click("[data-test=select-call]").await;
            page.click("[data-test=send]").await;
            page.see("[data-test=send-language] option:nth-child(2)").await;
            let script = "return document.querySelector(arguments[0]).selectedOptions[0].innerText.trim()";
            page.run(script, "[data-test=send-token]").await
        };
        assert_eq!(chosen().await, "Quality team");
        assert!(!page.sees("[data-test=send-dialog] [data-test=fault]").await, "nobody made a fault yet");
        page.choose("[data-test=send-language]", "en").await;
        page.click("[data-test=send-submit]").await;
        page.see("[data-test=outcome] strong").await;

        page.see("#send-done:focus").await;

        // The form starts with the token of the last submission if it still exists.
        server.speech_token("Complaints").await;
        assert_eq!(chosen().await, "Quality team");
        page.see("[data-test=send-submit]:enabled").await;
        let token = server.admin().get("/api/speech-tokens").await.expect(200);
        let used =
            token["items"].as_array().unwrap().iter().find(|token| token["name"] == "Quality team").unwrap()["id"]
                .clone();
        server.admin().delete(&format!("/api/speech-tokens/{used}")).await.expect(200);
        server.speech_token("Sales").await;
        assert_eq!(chosen().await, "Choose a token…");
        page.shows("[data-test=send-dialog] .dialog-foot .start", "Choose a token first.").await;
    })
    .await;
}
