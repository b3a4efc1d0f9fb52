//! Campaigns: progress, previewed changes, creation, and unsaved input.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::Server;

const NAME: &str = "[data-test=campaign-name]";
const ATTEMPTS: &str = "[data-test=campaign-max-attempts]";

/// Creates a campaign with three leads, two of which have reached the attempt limit.
async fn harbour_lights(server: &Server) -> i64 {
    let client = server.admin();
    let campaign = client.create("/api/campaigns", json!({ "name": "Harbour lights", "max_attempts": 1 })).await;
    for calls in [0, 1, 1] {
        let lead = client.create("/api/leads", json!({ "phone_normalized": "+442079460018" })).await;
        let inside = json!({ "lead_id": lead, "campaign_id": campaign, "calls_count": calls });
        client.create("/api/campaign-leads", inside).await;
    }
    campaign
}

/// Clicks the save button with the mouse, as the first or second click of a double click.
async fn press_save(page: &Page, count: u8) {
    let middle =
        "const { left, top, width, height } = document.querySelector('[data-test=save]').getBoundingClientRect();
        return [left + width / 2, top + height / 2]";
    let (x, y): (f64, f64) = serde_json::from_value(page.run(middle, Value::Null).await).unwrap();
    for kind in ["mousePressed", "mouseReleased"] {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": count });
        page.command("Input.dispatchMouseEvent", event).await;
    }
}

/// Waits until the preview shows this number of callable leads.
async fn callable(page: &Page, leads: u64) {
    page.see(&format!("[data-test=effect][data-callable='{leads}']")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn campaign_change_previews_its_effect() {
    journey("campaign_change", async |page, server| {
        let campaign = harbour_lights(server).await;
        log_in(page, server, Role::Manager, "/campaigns").await;
        page.see("[data-test=campaign-row]").await;
        page.fill("[data-test=campaign-search]", "harbour").await;
        page.press(&Key::Enter).await;
        page.is_at("/campaigns?search=harbour").await;
        page.shows("[data-test=total]", "1 campaign").await;
        page.see("[data-test=progress] li").await;
        assert_eq!(page.texts("[data-test=progress] li").await, ["0 done", "2 called", "1 new"]);

        page.click("[data-test=campaign]").await;
        page.is_at(&format!("/campaigns/{campaign}")).await;
        page.shows("h1", "Harbour lights").await;
        callable(page, 1).await;
        assert!(!page.sees("[data-test=difference]").await, "nothing is changed yet");
        page.shows("[data-test=effect-reason][data-code=attempt_limit] td", "2").await;
        page.click("[data-test=effect-reason][data-code=attempt_limit] a").await;
        page.shows("[data-test=total]", "2 leads").await;
        page.run("history.back()", Value::Null).await;
        page.is_at(&format!("/campaigns/{campaign}")).await;
        callable(page, 1).await;
        page.fill(ATTEMPTS, "5").await;
        callable(page, 3).await;
        page.shows("[data-test=difference]", "+2").await;
        assert_eq!(page.texts("[data-test=change]").await, ["Max. calls\n+2"]);
        page.click("[data-test=campaign-off]").await;
        callable(page, 0).await;
        page.see("[data-test=effect-reason][data-code=campaign_inactive]").await;
        page.click("[data-test=campaign-active]").await;
        callable(page, 3).await;

        page.fill(ATTEMPTS, "0").await;
        page.see(&format!("{ATTEMPTS}[aria-invalid=true]")).await;
        page.see("[data-test=fault][data-code=out_of_range]").await;
        page.see("[data-test=save][aria-disabled=true]").await;
        page.fill(ATTEMPTS, "5").await;
        page.click("[data-test=hours-set]").await;
        page.click("[data-test=day-sat]").await;
        page.click("[data-test=save]").await;
        page.see("[data-test=toast]").await;
        // The focus stays on the button although it is disabled.
        page.see("[data-test=save][aria-disabled=true]:focus").await;
        let saved = server.admin().get(&format!("/api/campaigns/{campaign}")).await.expect(200);
        let days = json!(["mon", "tue", "wed", "thu", "fri", "sat"]);
        assert_eq!((&saved["max_attempts"], &saved["calling_hours"]["days"]), (&json!(5), &days));
        assert_eq!(saved["daily_attempts"], Value::Null);

        // The change can be undone unless another user has changed the campaign since.
        page.click("[data-test=undo]").await;
        let attempts = async || page.run("return document.querySelector(arguments[0]).value", ATTEMPTS).await;
        page.until_equal("it is as before", json!("1"), attempts).await;
        let saved = server.admin().get(&format!("/api/campaigns/{campaign}")).await.expect(200);
        assert_eq!(saved["calling_hours"], Value::Null);

        // Undoing keeps unsaved input; the other fields show the stored values.
        page.fill(ATTEMPTS, "4").await;
        page.click("[data-test=save]").await;
        page.see("[data-test=save][aria-disabled=true]").await;
        page.see("[data-test=undo]").await;
        page.fill("[data-test=campaign-name]", "Renamed").await;
        page.click("[data-test=undo]").await;
        page.until_equal("what was saved is as before", json!("1"), attempts).await;
        let name = page.run("return document.querySelector('[data-test=campaign-name]').value", Value::Null).await;
        assert_eq!(name, "Renamed");
        page.shows("[data-test=unsaved]", "Unsaved changes").await;
        let says = async || page.texts("[data-test=toast] p").await;
        let kept = "Changes you made since then are still in the form, unsaved.".to_owned();
        page.until_equal("it is said", true, async || says().await.contains(&kept)).await;
        page.click("[data-test=save]").await;
        page.see("[data-test=save][aria-disabled=true]").await;
        let saved = server.admin().get(&format!("/api/campaigns/{campaign}")).await.expect(200);
        assert_eq!((&saved["name"], &saved["max_attempts"]), (&json!("Renamed"), &json!(1)));

        page.click("[data-test=campaign-leads]").await;
        page.shows("[data-test=total]", "3 leads").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn campaign_edit_conflict_requires_confirmation() {
    journey("campaign_changed_too", async |page, server| {
        let campaign = harbour_lights(server).await;
        let (admin, path) = (server.admin(), format!("/api/campaigns/{campaign}"));
        let has = async |field: &str| admin.get(&path).await.expect(200)[field].take();
        let others_set = async |change: Value| {
            server.advance(chrono::TimeDelta::seconds(1));
            admin.patch(&path, change.to_string()).await.expect(200);
        };
        let written = async |input: &str| page.run("return document.querySelector(arguments[0]).value", input).await;
        log_in(page, server, Role::Manager, &format!("/campaigns/{campaign}")).await;
        callable(page, 1).await;
        page.fill(ATTEMPTS, "4").await;
        others_set(json!({ "max_attempts": 9 })).await;
        page.run("window.scrollTo(0, document.body.scrollHeight)", Value::Null).await;
        press_save(page, 1).await;
        page.shows("[data-test=changed-too] ul", "Max. calls: now 9").await;
        let is_in_sight = "const { top, bottom } = document.querySelector('[data-test=changed-too]').getBoundingClientRect();
             return top >= document.querySelector('.page-head').getBoundingClientRect().bottom && bottom <= innerHeight";
        let seen = async || page.run(is_in_sight, Value::Null).await;
        page.until_equal("it comes into sight", json!(true), seen).await;
        assert!(!page.sees("[data-test=error]").await, "it is told once");
        // The second click of a double click doesn't confirm the overwrite.
        page.shows("[data-test=save]", "Save anyway").await;
        press_save(page, 2).await;
        assert!(page.sees("[data-test=changed-too]").await, "a double click overwrites nothing");
        assert_eq!((has("max_attempts").await, written(ATTEMPTS).await), (json!(9), json!("4")));
        page.click("[data-test=save]").await;
        page.until_equal("it is saved, knowingly", json!(4), async || has("max_attempts").await).await;
        page.see_gone("[data-test=changed-too]").await;
        // Undo restores the other session's value.
        page.click("[data-test=undo]").await;
        page.until_equal("it is theirs again", json!("9"), async || written(ATTEMPTS).await).await;
        assert_eq!(has("max_attempts").await, 9);

        // Changes to other fields cause no conflict and are kept.
        page.fill(NAME, "Harbour nights").await;
        others_set(json!({ "daily_attempts": 3 })).await;
        page.click("[data-test=save]").await;
        page.shows("h1", "Harbour nights").await;
        let daily = async || written("[data-test=campaign-daily-attempts]").await;
        page.until_equal("the form has what they set", json!("3"), daily).await;
        assert_eq!((has("name").await, has("daily_attempts").await), (json!("Harbour nights"), json!(3)));
        assert!(!page.sees("[data-test=changed-too]").await);

        // Discarding one's own change keeps the other session's value.
        page.fill(ATTEMPTS, "5").await;
        others_set(json!({ "max_attempts": 7 })).await;
        page.click("[data-test=save]").await;
        page.shows("[data-test=changed-too] ul", "Max. calls: now 7").await;
        page.click("[data-test=discard]").await;
        page.see_gone("[data-test=changed-too]").await;
        assert_eq!((has("max_attempts").await, written(ATTEMPTS).await), (json!(7), json!("7")));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unsaved_campaign_input_requires_confirmation() {
    journey("campaign_leave", async |page, server| {
        let campaign = harbour_lights(server).await;
        let place = format!("/campaigns/{campaign}");
        log_in(page, server, Role::Manager, "/campaigns?search=harbour").await;
        page.click("[data-test=campaign]").await;
        callable(page, 1).await;
        page.fill(NAME, "Harbour nights").await;
        page.shows("[data-test=unsaved]", "Unsaved changes").await;

        page.click("nav a[href='/leads']").await;
        page.see("[data-test=confirm]").await;
        page.click("[data-test=confirm-dialog] .dialog-foot .button:not(.button-danger)").await;
        page.see_gone("[data-test=confirm]").await;
        page.is_at(&place).await;
        page.run("history.back()", Value::Null).await;
        page.see("[data-test=confirm]").await;
        page.is_at(&place).await;
        page.press(&Key::Escape).await;
        page.see_gone("[data-test=confirm]").await;
        let typed = page.run("return document.querySelector(arguments[0]).value", NAME).await;
        assert_eq!(typed, json!("Harbour nights"));

        page.run("document.activeElement.blur()", Value::Null).await;
        page.press("gl").await;
        page.see("[data-test=confirm]").await;
        page.press(&Key::Escape).await;
        page.is_at(&place).await;

        page.run("history.back()", Value::Null).await;
        page.click("[data-test=confirm]").await;
        page.is_at("/campaigns?search=harbour").await;
        page.shows("[data-test=total]", "1 campaign").await;
        // Saved or discarded input doesn't block navigation.
        page.click("[data-test=campaign]").await;
        callable(page, 1).await;
        page.fill(NAME, "Harbour days").await;
        page.click("[data-test=discard]").await;
        page.click("nav a[href='/calls']").await;
        page.is_at("/calls").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_response_does_not_affect_another_campaign() {
    journey("campaign_left", async |page, server| {
        let campaign = harbour_lights(server).await;
        let other = server.admin().create("/api/campaigns", json!({ "name": "Lighthouse" })).await;
        log_in(page, server, Role::Manager, &format!("/campaigns/{campaign}")).await;
        callable(page, 1).await;
        page.fill(NAME, "Harbour nights").await;
        page.command("Network.enable", json!({})).await;
        let slowly = async |latency: u32| {
            let pace =
                json!({ "offline": false, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1 });
            page.command("Network.emulateNetworkConditions", pace).await;
        };
        slowly(4_000).await;
        page.click("[data-test=save]").await;
        let go = "const link = document.createElement('a');
            link.href = arguments[0];
            document.body.append(link);
            link.click();
            link.remove()";
        page.run(go, format!("/campaigns/{other}")).await;
        page.click("[data-test=confirm]").await;
        page.is_at(&format!("/campaigns/{other}")).await;
        // The toast message is still shown.
        page.see("[data-test=undo]").await;
        page.shows("h1", "Lighthouse").await;
        let name = page.run("return document.querySelector(arguments[0]).value", NAME).await;
        assert_eq!(name, "Lighthouse");
        slowly(0).await;
        let saved = server.admin().get(&format!("/api/campaigns/{campaign}")).await.expect(200);
        assert_eq!(saved["name"], "Harbour nights");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn creates_campaign_and_reports_duplicate_name_in_place() {
    journey("campaign_create", async |page, server| {
        harbour_lights(server).await;
        log_in(page, server, Role::Manager, "/campaigns").await;
        page.click("[data-test=new-campaign]").await;
        page.is_at("/campaigns/new").await;
        page.see("#campaign-name:focus").await;
        assert!(!page.sees("[data-test=fault]").await, "nobody is blamed for what they haven't come to");
        page.click("[data-test=save]").await;
        page.see("[data-test=fault][data-code=too_short]").await;
        page.fill(NAME, "Harbour lights").await;
        page.see_gone("[data-test=fault]").await;
        page.click("[data-test=save]").await;
        page.see("#campaign-name-note [data-test=fault][data-code=taken]").await;
        assert!(!page.sees("[data-test=error]").await, "what stands at its field is not said twice");
        page.see("#campaign-name:focus").await;
        page.fill(NAME, "Lighthouse").await;
        page.click("[data-test=hours-any]").await;
        page.click("[data-test=save]").await;
        page.shows("h1", "Lighthouse").await;
        callable(page, 0).await;
        let made = server.admin().get("/api/campaigns?search=lighthouse").await.expect(200)["items"][0].clone();
        assert_eq!((&made["name"], &made["calling_hours"]), (&json!("Lighthouse"), &Value::Null));
        page.is_at(&format!("/campaigns/{}", made["id"])).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn viewer_can_read_campaigns_without_changing_them() {
    journey("campaign_viewer", async |page, server| {
        let campaign = harbour_lights(server).await;
        log_in(page, server, Role::Viewer, "/campaigns").await;
        page.see("[data-test=campaign-row]").await;
        assert!(!page.sees("[data-test=new-campaign]").await);
        page.open(&format!("/campaigns/{campaign}")).await;
        callable(page, 1).await;
        assert!(!page.sees("[data-test=save]").await);
        page.see(&format!("{NAME}:disabled")).await;
        page.shows("[data-test=only-reads]", "Your role can't change campaigns.").await;
        page.open("/campaigns/new").await;
        page.see("[data-test=empty]").await;
        assert!(!page.sees(NAME).await);
    })
    .await;
}
