//! Editing a lead: faults at their fields, and the lead's history.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;

const CANCEL: &str = "[data-test=confirm-dialog] .dialog-foot [data-test=cancel]";

/// Returns whether the first two groups are side by side, and whether the fields of each group follow downwards or to
/// the right.
const PLACES: &str = "const at = element => element.getBoundingClientRect();
    const groups = [...document.querySelectorAll('[data-test=lead-form] fieldset')];
    const follows = (next, before) => next.top >= before.bottom || next.left >= before.right;
    const inOrder = group => [...group.querySelectorAll('input, textarea, button')].map(at)
        .every((next, place, all) => place === 0 || follows(next, all[place - 1]));
    return [at(groups[0]).top === at(groups[1]).top, groups.length === 5 && groups.every(inOrder)]";

/// Waits until an input has faults with these codes.
async fn faults(page: &Page, input: &str, codes: &[&str]) {
    let codes: Vec<_> = codes.iter().map(|code| (*code).to_owned()).collect();
    page.lists(&format!("[id='{input}-note'] [data-test=fault]"), "data-code", &codes).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lead_changes_appear_in_its_history() {
    journey("lead_edit", async |page, server| {
        let new =
            json!({ "first_name": "Ann", "phone": "+49 30 123456", "lat": 52.5, "custom_fields": { "score": 5 } });
        let admin = server.admin();
        let id = admin.create("/api/leads", new).await;
        let path = format!("/leads/{id}");
        log_in(page, server, Role::Manager, &path).await;
        let told = async |actions: &[&str]| {
            let actions: Vec<_> = actions.iter().map(|action| (*action).to_owned()).collect();
            page.lists("[data-test=change]", "data-action", &actions).await;
        };
        told(&["lead.create"]).await;

        page.click("[data-test=edit-lead]").await;
        page.see("[data-test=lead-form]").await;
        let is_enabled = async || page.see("[data-test=save-lead]").await.is_enabled().await.unwrap();
        assert!(!is_enabled().await, "nothing has changed");
        page.fill("#lead-email", "ann").await;
        faults(page, "lead-email", &["invalid_email"]).await;
        page.fill("#lead-lat", "1,5").await;
        faults(page, "lead-lat", &["wrong_type"]).await;
        assert!(!is_enabled().await, "faults are to be mended");
        page.fill("#lead-email", "ann@example.com").await;
        page.fill("#lead-lat", "-1.5").await;
        faults(page, "lead-email", &[]).await;
        faults(page, "lead-lat", &[]).await;
        page.click("#lead-do_not_call").await;
        page.fill("[id='lead-custom.score']", "6").await;
        page.fill("[data-test=custom-name]", "tier").await;
        page.click("[data-test=custom-add]").await;
        page.fill("[id='lead-custom.tier']", "gold").await;
        assert_eq!(
            page.run(PLACES, Value::Null).await,
            json!([true, true]),
            "groups side by side, and the order of Tab"
        );

        // A link or Back doesn't discard the input without confirmation.
        page.click("a.breadcrumb").await;
        page.see("[data-test=confirm-dialog][open]").await;
        page.click(CANCEL).await;
        page.see_gone("[data-test=confirm-dialog][open]").await;
        page.is_at(&format!("{path}?edit")).await;

        page.click("[data-test=save-lead]").await;
        page.see("[data-test=toast]").await;
        page.see_gone("[data-test=lead-form]").await;
        told(&["lead.update", "lead.create"]).await;
        let lead = admin.get(&format!("/api/leads/{id}")).await.expect(200);
        let members =
            ["first_name", "email", "lat", "do_not_call", "phone_normalized"].map(|member| lead[member].clone());
        assert_eq!(members, [json!("Ann"), json!("ann@example.com"), json!(-1.5), json!(true), json!("+4930123456")]);
        assert_eq!(lead["custom_fields"], json!({ "score": 6, "tier": "gold" }));
        page.see("[data-code=do_not_call]").await;

        // Undo restores all fields, including the missing custom field.
        page.click("[data-test=undo]").await;
        told(&["lead.update", "lead.update", "lead.create"]).await;
        page.see_gone("[data-code=do_not_call]").await;
        let lead = admin.get(&format!("/api/leads/{id}")).await.expect(200);
        assert_eq!([&lead["email"], &lead["lat"], &lead["do_not_call"]], [&Value::Null, &json!(52.5), &json!(false)]);
        assert_eq!(lead["custom_fields"], json!({ "score": 5 }));

        // Undo doesn't overwrite later changes of another session.
        page.click("[data-test=edit-lead]").await;
        page.fill("#lead-city", "Bonn").await;
        page.click("[data-test=save-lead]").await;
        page.see("[data-test=undo]").await;
        server.advance(chrono::TimeDelta::seconds(1));
        admin.patch(&format!("/api/leads/{id}"), json!({ "city": "Köln" }).to_string()).await.expect(200);
        page.click("[data-test=undo]").await;
        page.see(".toast-failure").await;
        let failure = page.text(".toast-failure p").await;
        assert!(failure.contains("It was changed since"), "{failure}");
        assert_eq!(admin.get(&format!("/api/leads/{id}")).await.expect(200)["city"], "Köln");

        // Changing the same field as another session shows the conflict before overwriting.
        let city = async || admin.get(&format!("/api/leads/{id}")).await.expect(200)["city"].clone();
        page.click("[data-test=edit-lead]").await;
        page.fill("#lead-city", "Mainz").await;
        page.click("[data-test=save-lead]").await;
        page.shows("[data-test=changed-too] li", "City: now Köln").await;
        // A repeated Enter, pressed before the conflict was shown, doesn't confirm it.
        page.see("[data-test=changed-too]:focus").await;
        page.press(&Key::Enter).await;
        assert_eq!(city().await, "Köln");
        // The original value now counts as a change, and the other session's value as unchanged.
        page.fill("#lead-city", "Köln").await;
        page.see("[data-test=save-lead]:disabled").await;
        page.fill("#lead-city", "Bonn").await;
        page.click("[data-test=save-lead]").await;
        page.until_equal("it is saved, knowingly", json!("Bonn"), city).await;
        page.see_gone("[data-test=lead-form]").await;
        // Changes to other fields cause no conflict.
        server.advance(chrono::TimeDelta::seconds(1));
        admin.patch(&format!("/api/leads/{id}"), json!({ "zip": "55116" }).to_string()).await.expect(200);

        // The change is shown before the server responds.
        page.command("Network.enable", json!({})).await;
        let slowly = async |latency: u32| {
            let pace =
                json!({ "offline": false, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1 });
            page.command("Network.emulateNetworkConditions", pace).await;
        };
        let is_shown = async |city: &str| page.text("[aria-label='Lead fields']").await.contains(city);
        page.click("[data-test=edit-lead]").await;
        page.fill("#lead-city", "Trier").await;
        slowly(3_000).await;
        page.click("[data-test=save-lead]").await;
        page.until_equal("the lead has what was written", true, async || is_shown("Trier").await).await;
        assert!(!page.sees("[data-test=lead-form]").await);
        slowly(0).await;
        page.until_equal("it is saved", json!("Trier"), city).await;

        // A change that doesn't reach the server is reverted, and is in the reopened form.
        page.command("Network.setBlockedURLs", json!({ "urls": [format!("*/api/leads/{id}")] })).await;
        page.click("[data-test=edit-lead]").await;
        page.fill("#lead-city", "Ulm").await;
        page.click("[data-test=save-lead]").await;
        page.see("[data-test=lead-form] [data-test=error]").await;
        let written = page.run("return document.getElementById('lead-city').value", Value::Null).await;
        assert_eq!(written, "Ulm");
        page.click("[data-test=discard]").await;
        page.see_gone("[data-test=lead-form]").await;
        assert!(is_shown("Trier").await && !is_shown("Ulm").await);
        page.command("Network.setBlockedURLs", json!({ "urls": [] })).await;

        // After saving, navigation isn't blocked.
        page.click("a.breadcrumb").await;
        page.is_at("/leads").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edit_mode_has_a_url_and_back_leaves_it() {
    journey("lead_edit_address", async |page, server| {
        let admin = server.admin();
        let custom = json!({ "open": true, "vip": true });
        let new = json!({ "first_name": "Ann", "phone": "+49 30 123456", "custom_fields": custom });
        let id = admin.create("/api/leads", new).await;
        let (path, form) = (format!("/leads/{id}"), "[data-test=lead-form]");
        let editing = format!("{path}?edit");
        let lead = async || admin.get(&format!("/api/leads/{id}")).await.expect(200);
        log_in(page, server, Role::Manager, &editing).await;
        page.see(form).await;

        // Booleans are selected, and can be cleared.
        page.choose("select[id='lead-custom.open']", "false").await;
        page.choose("select[id='lead-custom.vip']", "").await;
        // After a change of the number, a note says that the normalised number is derived on save.
        assert!(!page.sees("[data-test=made-when-saved]").await);
        page.fill("#lead-phone", "+49 30 654321").await;
        page.shows("#lead-phone_normalized-note", "Set from the phone number when saved.").await;
        // The server resolves country names.
        page.fill("#lead-phone", "030 654321").await;
        page.fill("#lead-country", "Germany").await;
        assert!(!page.sees("#lead-phone_normalized2-note [data-test=made-when-saved]").await);
        page.click("[data-test=save-lead]").await;
        page.is_at(&path).await;
        page.see_gone(form).await;
        let made = async || lead().await["phone_normalized"].clone();
        page.until_equal("it is saved", json!("+4930654321"), made).await;
        assert_eq!(lead().await["country"], "DE");
        assert_eq!(lead().await["custom_fields"], json!({ "open": false }));

        // Back leaves the edit mode, with confirmation if there is unsaved input.
        page.click("[data-test=edit-lead]").await;
        page.is_at(&editing).await;
        page.see(form).await;
        page.run("history.back()", Value::Null).await;
        page.see_gone(form).await;
        page.is_at(&path).await;
        page.run("history.forward()", Value::Null).await;
        page.fill("#lead-city", "Bonn").await;
        page.run("history.back()", Value::Null).await;
        page.see("[data-test=confirm-dialog][open]").await;
        page.click(CANCEL).await;
        page.is_at(&editing).await;
        assert_eq!(page.run("return document.getElementById('lead-city').value", Value::Null).await, "Bonn");
        page.click("[data-test=discard]").await;
        page.see_gone(form).await;
        page.is_at(&path).await;
        page.see("[data-test=edit-lead]:focus").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn skip_link_does_not_leave_the_form() {
    journey("lead_edit_skip", async |page, server| {
        let id = server.admin().create("/api/leads", json!({ "first_name": "Ann" })).await;
        let (editing, asked) = (format!("/leads/{id}?edit"), "[data-test=confirm-dialog][open]");
        log_in(page, server, Role::Manager, &format!("/leads/{id}")).await;
        page.click("[data-test=edit-lead]").await;
        page.fill("#lead-city", "Bonn").await;
        page.run("document.querySelector('.skip-link').focus()", Value::Null).await;
        page.press(&Key::Enter).await;
        page.is_at(&format!("{editing}#main")).await;
        page.run("history.back()", Value::Null).await;
        page.is_at(&editing).await;
        assert!(!page.sees(asked).await);
        assert_eq!(page.run("return document.getElementById('lead-city').value", Value::Null).await, "Bonn");

        // Leaving still asks for confirmation.
        page.run("history.back()", Value::Null).await;
        page.see(asked).await;
        page.is_at(&editing).await;
        page.click(CANCEL).await;
        page.see_gone(asked).await;
        page.click("[data-test=user-menu]").await;
        page.click("[data-test=log-out]").await;
        page.see(asked).await;
        page.click(CANCEL).await;
        page.see_gone(asked).await;
        assert_eq!(page.run("return document.getElementById('lead-city').value", Value::Null).await, "Bonn");
        page.click("a.breadcrumb").await;
        page.see(asked).await;
        page.click(&format!("{asked} [data-test=confirm]")).await;
        page.is_at("/leads").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_undo_can_be_retried() {
    journey("lead_undo_again", async |page, server| {
        let admin = server.admin();
        let id = admin.create("/api/leads", json!({ "first_name": "Ann" })).await;
        let city = async || admin.get(&format!("/api/leads/{id}")).await.expect(200)["city"].clone();
        let block = async |urls: &[String]| {
            page.command("Network.setBlockedURLs", json!({ "urls": urls })).await;
        };
        log_in(page, server, Role::Manager, &format!("/leads/{id}")).await;
        page.click("[data-test=edit-lead]").await;
        page.fill("#lead-city", "Bonn").await;
        page.click("[data-test=save-lead]").await;
        page.see("[data-test=undo]").await;
        page.command("Network.enable", json!({})).await;
        block(&[format!("*/api/leads/{id}")]).await;
        page.click("[data-test=undo]").await;
        page.see(".toast-failure").await;
        assert_eq!(city().await, "Bonn");
        block(&[]).await;
        page.click("[data-test=undo]").await;
        page.until_equal("it is as before", Value::Null, city).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejected_edit_keeps_input_and_viewers_cannot_edit() {
    journey("lead_refused", async |page, server| {
        let admin = server.admin();
        let id = admin.create("/api/leads", json!({ "first_name": "Ann" })).await;
        log_in(page, server, Role::Manager, &format!("/leads/{id}")).await;
        page.click("[data-test=edit-lead]").await;
        page.fill("#lead-city", "Bonn").await;
        // Another session deletes the lead.
        admin.delete(&format!("/api/leads/{id}")).await.expect(204);
        page.click("[data-test=save-lead]").await;
        page.see("[data-test=lead-form] [data-test=error]").await;
        let city = page.run("return document.getElementById('lead-city').value", Value::Null).await;
        assert_eq!(city, "Bonn", "what was written stays");
        page.click("[data-test=discard]").await;
        page.see_gone("[data-test=lead-form]").await;

        let other = admin.create("/api/leads", json!({ "first_name": "Bob" })).await;
        page.click("[data-test=user-menu]").await;
        page.click("[data-test=log-out]").await;
        page.see("[data-test=login-email]").await;
        log_in(page, server, Role::Viewer, &format!("/leads/{other}")).await;
        page.see("[data-test=change]").await;
        assert!(!page.sees("[data-test=edit-lead]").await);
    })
    .await;
}
