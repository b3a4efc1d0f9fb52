//! Dialogs: their buttons and focus, and confirmations before input is lost.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::login::log_in;
use super::{demo_server, journey, run_in_browser};

type DialogPath = (&'static str, &'static [&'static str], &'static str);

/// Dialogs with a main action: page, clicks that open the dialog, `data-test` of the dialog.
const DIALOGS: [DialogPath; 14] = [
    ("/settings?tab=users", &["[data-test=new-user]"], "user-dialog"),
    ("/settings?tab=users", &["[data-test=change]"], "change-user"),
    ("/settings?tab=users", &["[data-test=remove]"], "confirm-dialog"),
    ("/settings?tab=keys", &["[data-test=new-key]"], "key-dialog"),
    ("/settings?tab=tokens", &["[data-test=new-token]"], "token-dialog"),
    ("/settings?tab=statuses", &["[data-test=new-status]"], "status-dialog"),
    ("/leads", &["[data-test=views] summary", "[data-test=view-save-as]"], "view-dialog"),
    ("/leads", &["[data-test=select-lead]", "[data-test=lead-action-status]"], "lead-action"),
    ("/leads/1", &["[data-test=add-to-campaign]"], "add-to-campaign"),
    ("/leads/1", &["[data-test=edit-campaign-lead]"], "edit-campaign-lead"),
    ("/leads/1", &["[data-test=delete-lead]"], "confirm-dialog"),
    ("/calls", &["[data-test=select-call]", "[data-test=send]"], "send-dialog"),
    ("/transcripts", &["[data-test=deliver]"], "deliver-dialog"),
    ("/deliveries/1", &["[data-test=replay]"], "confirm-dialog"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancel_is_next_to_the_main_action_of_every_dialog() {
    let server = demo_server::start_server().await;
    run_in_browser("cancel_is_next_to_the_main_action_of_every_dialog", server.base(), async |page| {
        demo_server::log_in(page).await;
        for (path, clicks, dialog) in DIALOGS {
            page.open(path).await;
            for click in clicks {
                page.click(click).await;
            }
            // A button and a dialog may have the same name.
            let dialog = format!("dialog[data-test={dialog}]");
            page.wait_for(&format!("{dialog} .dialog-footer [data-test=cancel] ~ *")).await;
            // The focus is in the dialog's content, not on its close button, and returns to the page afterwards.
            page.wait_for(&format!("{dialog} > :not(.dialog-header) :focus")).await;
            page.click(&format!("{dialog} .dialog-footer [data-test=cancel]")).await;
            page.wait_until_gone(&dialog).await;
            page.wait_for("#main:focus-within").await;
        }
    })
    .await;
}

journey!(escape_keeps_dialog_input, async |page, server| {
    log_in(page, server, Role::Manager, "/settings?tab=statuses").await;
    let (dialog, discard_question) = ("dialog[data-test=status-dialog]", "[data-test=discard-confirmation]");
    let label = "[data-test=status-label]";
    let open_dialog = async || {
        page.click("[data-test=new-status]").await;
        page.wait_for(dialog).await;
        page.wait_for(&format!("{label}:focus")).await;
    };
    // Without input, Escape closes the dialog.
    open_dialog().await;
    page.type_keys(&Key::Escape).await;
    page.wait_until_gone(dialog).await;

    open_dialog().await;
    page.fill(label, "Call back later").await;
    page.type_keys(&Key::Escape).await;
    page.wait_for("[data-test=keep-editing]:focus").await;
    page.type_keys(&Key::Escape).await;
    page.wait_until_gone(discard_question).await;
    page.wait_for(&format!("{label}:focus")).await;
    let input_value = async || page.run_script("return document.querySelector(arguments[0]).value", label).await;
    assert_eq!(input_value().await, "Call back later");
    page.click(&format!("{dialog} .dialog-header button")).await;
    page.click("[data-test=keep-editing]").await;
    page.wait_until_gone(discard_question).await;
    assert_eq!(input_value().await, "Call back later");
    page.click(&format!("{dialog} .dialog-header button")).await;
    page.click("[data-test=discard-changes]").await;
    page.wait_until_gone(dialog).await;
    open_dialog().await;
    assert_eq!(input_value().await, "");
    // Cancel needs no confirmation.
    page.fill(label, "Not before June").await;
    page.click(&format!("{dialog} [data-test=cancel]")).await;
    page.wait_until_gone(dialog).await;
});

journey!(navigation_keeps_dialog_input, async |page, server| {
    let (name, discard_question) = ("[data-test=new-name]", "[data-test=discard-confirmation]");
    log_in(page, server, Role::Manager, "/calls").await;
    page.click(".sidebar [href='/leads']").await;
    page.click("[data-test=views] summary").await;
    page.click("[data-test=view-save-as]").await;
    page.fill(name, "Great Britain").await;
    page.run_script("history.back()", Value::Null).await;
    page.wait_for("[data-test=keep-editing]:focus").await;
    page.expect_location("/leads").await;
    page.click("[data-test=keep-editing]").await;
    page.wait_until_gone(discard_question).await;
    page.wait_for(&format!("{name}:focus")).await;

    page.type_keys(&(Key::Control + "k")).await;
    page.wait_for("[data-test=palette-input]").await;
    page.type_keys("deliveries").await;
    page.type_keys(&Key::Enter).await;
    page.wait_for(discard_question).await;
    page.expect_location("/leads").await;
    let input_value = page.run_script("return document.querySelector(arguments[0]).value", name).await;
    assert_eq!(input_value, "Great Britain");
    let unload_script = "const closing = new Event('beforeunload', { cancelable: true });
             window.dispatchEvent(closing);
             return closing.defaultPrevented";
    assert_eq!(page.run_script(unload_script, Value::Null).await, true);

    // Discarding the input continues the blocked navigation.
    page.click("[data-test=discard-changes]").await;
    page.expect_location("/deliveries").await;
    page.wait_until_gone("dialog[data-test=view-dialog]").await;
    assert_eq!(page.run_script(unload_script, Value::Null).await, false);
    page.run_script("history.back()", Value::Null).await;
    page.expect_location("/leads").await;
    page.click("[data-test=views] summary").await;
    page.click("[data-test=view-save-as]").await;
    page.fill(name, "Great Britain").await;
    // A second attempt asks for confirmation again.
    for _ in 0..2 {
        page.run_script("history.back()", Value::Null).await;
        page.wait_for(discard_question).await;
    }
    page.expect_location("/leads").await;
    page.click("[data-test=discard-changes]").await;
    page.expect_location("/calls").await;
});

journey!(links_keep_dialog_input, async |page, server| {
    let (duration_input, discard_question) = ("[data-test=send-min-duration]", "[data-test=discard-confirmation]");
    let tokens_link = "[data-test=send-dialog] a[href='/settings']";
    let open_dialog = async || {
        page.click("[data-test=call-row]:first-child [data-test=select-call]").await;
        page.click("[data-test=send]").await;
    };
    log_in(page, server, Role::Admin, "/calls").await;
    open_dialog().await;
    page.fill(duration_input, "20").await;
    page.click(tokens_link).await;
    page.wait_for("[data-test=keep-editing]:focus").await;
    page.expect_location("/calls").await;
    page.click("[data-test=keep-editing]").await;
    page.wait_until_gone(discard_question).await;
    let input_value = page.run_script("return document.querySelector(arguments[0]).value", duration_input).await;
    assert_eq!(input_value, "20");
    page.click(tokens_link).await;
    page.click("[data-test=discard-changes]").await;
    page.expect_location("/settings").await;

    // Without input, no confirmation is needed.
    page.open("/calls").await;
    open_dialog().await;
    page.click(tokens_link).await;
    page.expect_location("/settings").await;
});

journey!(dialog_stays_open_while_its_request_is_pending, async |page, server| {
    let dialog = "dialog[data-test=view-dialog]";
    let network_conditions =
        |latency| json!({ "offline": false, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1 });
    log_in(page, server, Role::Manager, "/calls").await;
    page.click(".sidebar [href='/leads']").await;
    page.wait_for("[data-test=lead-row]").await;
    page.click("[data-test=views] summary").await;
    page.click("[data-test=view-save-as]").await;
    page.fill("[data-test=new-name]", "Great Britain").await;
    page.devtools_command("Network.enable", json!({})).await;
    page.devtools_command("Network.emulateNetworkConditions", network_conditions(10_000)).await;
    page.click(&format!("{dialog} [data-test=create]")).await;
    page.click(&format!("{dialog} [data-test=cancel][aria-disabled=true]")).await;
    page.type_keys(&Key::Escape).await;
    page.run_script("history.back()", Value::Null).await;
    page.devtools_command("Network.emulateNetworkConditions", network_conditions(0)).await;

    // The result is shown.
    page.expect_text("[data-test=view-name]", "Great Britain").await;
    page.expect_location("/leads?view=1").await;
    page.wait_for("[data-test=toast].toast-success").await;
    page.wait_until_gone(dialog).await;
});

/// Dialogs with input that needs no typing, in the form of [`DIALOGS`].
const DIALOGS_WITH_CHOICES: [DialogPath; 5] = [
    (
        "/leads",
        &["[data-test=select-lead]", "[data-test=lead-action-do-not-call]", "[data-test=action-may-call]"],
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
    let server = demo_server::start_server().await;
    run_in_browser("escape_keeps_dialog_choices", server.base(), async |page| {
        demo_server::log_in(page).await;
        for (path, clicks, dialog) in DIALOGS_WITH_CHOICES {
            page.open(path).await;
            for click in clicks {
                page.click(click).await;
            }
            let dialog = format!("dialog[data-test={dialog}]");
            page.type_keys(&Key::Escape).await;
            page.wait_for(&format!("{dialog} [data-test=keep-editing]")).await;
            page.click(&format!("{dialog} [data-test=discard-changes]")).await;
            page.wait_until_gone(&dialog).await;
        }
        // Choosing the current value again is no change.
        page.open("/leads").await;
        for click in
            ["[data-test=select-lead]", "[data-test=lead-action-do-not-call]", "[data-test=action-do-not-call]"]
        {
            page.click(click).await;
        }
        page.type_keys(&Key::Escape).await;
        page.wait_until_gone("dialog[data-test=lead-action]").await;
    })
    .await;
}

journey!(only_usable_token_is_preselected, async |page, server| {
    server.create_speech_token("Old").await;
    let revoked = server.admin().get("/api/speech-tokens").await.expect(200)["items"][0]["id"].clone();
    server.admin().delete(&format!("/api/speech-tokens/{revoked}")).await.expect(200);
    server.create_speech_token("Quality team").await;
    let calls_path = "/calls?recording=ready";
    log_in(page, server, Role::Manager, calls_path).await;
    let selected_token = async || {
        page.open(calls_path).await;
        page.click("[data-test=select-call]").await;
        page.click("[data-test=send]").await;
        page.wait_for("[data-test=send-language] option:nth-child(2)").await;
        let script = "return document.querySelector(arguments[0]).selectedOptions[0].innerText.trim()";
        page.run_script(script, "[data-test=send-token]").await
    };
    assert_eq!(selected_token().await, "Quality team");
    assert!(
        !page.is_visible("[data-test=send-dialog] [data-test=diagnostic]").await,
        "no error is shown before the first input"
    );
    page.select_option("[data-test=send-language]", "en").await;
    page.click("[data-test=send-submit]").await;
    page.wait_for("[data-test=submission-result] strong").await;

    page.wait_for("#send-dialog-close:focus").await;

    // The form starts with the token of the last submission if it still exists.
    server.create_speech_token("Complaints").await;
    assert_eq!(selected_token().await, "Quality team");
    page.wait_for("[data-test=send-submit]:enabled").await;
    let tokens = server.admin().get("/api/speech-tokens").await.expect(200);
    let used_token =
        tokens["items"].as_array().unwrap().iter().find(|token| token["name"] == "Quality team").unwrap()["id"].clone();
    server.admin().delete(&format!("/api/speech-tokens/{used_token}")).await.expect(200);
    server.create_speech_token("Sales").await;
    assert_eq!(selected_token().await, "Choose a token…");
    page.expect_text("[data-test=send-dialog] .dialog-footer .footer-start", "Choose a token first.").await;
});
