//! Dates in the filter: relative to now, and in the browser's time zone.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use leadscribe_server::clock::{Clock, SystemClock};
use serde_json::{Value, json};

use super::{FIELD, GROUP, READING, VALUE, fill_line, form_is, shows_filter};
use crate::browser::journey;
use crate::browser::login::log_in;
use crate::harness::body;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn relative_dates_stay_relative_in_the_url() {
    journey("filter_dates", async |page, server| {
        let admin = server.admin();
        let created = admin.create("/api/leads", json!({ "city": "Zzyzx" })).await;
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.click("[data-test=add-condition]").await;
        page.pick_field(FIELD, "created_at").await;
        // A date condition starts as "last days", with a bounded number of days.
        let count = async || page.run("return document.querySelector('[data-test=relative-count]').value", Value::Null).await;
        page.until_equal("the days", json!("7"), count).await;
        page.fill("[data-test=relative-count]", "99999999").await;
        page.until_equal("the days", json!("3650"), count).await;
        page.until("the reading says as many", async || page.text(READING).await.contains("last 3,650 days").then_some(())).await;
        page.fill("[data-test=relative-count]", "3").await;
        // Expected value, computed by the browser.
        let exact = "const from = new Date(), till = new Date();
            from.setHours(0, 0, 0, 0); till.setHours(24, 0, 0, 0); from.setDate(from.getDate() - 2);
            const text = date => date.toISOString().slice(0, 19).replace('T', ' ');
            return `${text(from)};>=|${text(till)};<`";
        let exact = page.run(exact, Value::Null).await;
        let filter = json!({ "created_at": exact, "limit": "50;0" });
        shows_filter(page, &filter).await;
        let zone = page.run("return Intl.DateTimeFormat().resolvedOptions().timeZone", Value::Null).await;
        let reading = page.text(READING).await;
        let end = format!(" (created in the last 3 days, {} time).", zone.as_str().unwrap());
        assert!(reading.starts_with("Leads created ") && reading.ends_with(&end), "{reading}");

        page.click("[data-test=apply]").await;
        let place = "/leads?filter=%7B%22limit%22%3A%2250%3B0%22%7D&dates=created_at%3Alast-3-days";
        page.is_at(place).await;
        let found = admin.put("/api/leads/extended-data", body(filter.clone())).await.expect(200);
        let total = found["total_leads"].as_u64().unwrap();
        assert!(found["leads"].as_array().unwrap().iter().any(|lead| lead["id"] == created), "{total} leads");
        page.shows("[data-test=total]", &if total == 1 { "1 lead".to_owned() } else { format!("{total} leads") }).await;

        page.reload().await;
        shows_filter(page, &filter).await;
        page.see("[data-test=relative]").await;
        let chosen = "return [...document.querySelectorAll('[data-test=relative], [data-test=relative-count]')].map(e => e.value)";
        let read = async || page.run(chosen, Value::Null).await;
        page.until_equal("the choice is shown", json!(["last-#-days", "3"]), read).await;

        // Hours count back from the time of the request, so the bounds change each time.
        page.choose("[data-test=relative]", "last-#-hours").await;
        for _ in 0..2 {
            page.click("[data-test=apply]").await;
            page.is_at(&place.replace("last-3-days", "last-24-hours")).await;
            page.see("[data-test=apply][data-applied=true]").await;
            page.see("[data-test=relative]").await;
        }
        page.choose("[data-test=relative]", "last-#-days").await;
        page.fill("[data-test=relative-count]", "3").await;
        page.press(&Key::Enter).await;
        page.is_at(place).await;

        // Sorting keeps a relative date; editing the JSON makes it absolute.
        page.click("th:first-child .sort-button").await;
        page.see("th[aria-sort=ascending]:first-child").await;
        let sorted = page.place().await;
        assert!(sorted.ends_with("&dates=created_at%3Alast-3-days"), "{sorted}");
        page.fill_filter(r#"{"created_at":"2026-01-01 00:00:00;>=","limit":"50;0"}"#).await;
        page.see_gone("[data-test=relative]").await;
        page.click("[data-test=apply]").await;
        page.shows(READING, "Leads created at or after 1 January 2026, 00:00 UTC.").await;
        let place = page.place().await;
        assert!(!place.contains("dates="), "{place}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn relative_dates_stay_relative_inside_groups() {
    journey("filter_group_dates", async |page, server| {
        let admin = server.admin();
        let today = SystemClock.now().date_naive().to_string();
        for (city, bought) in [("Zold", "2020-01-01"), ("Zolder", "2021-05-02"), ("Znew", &today)] {
            admin.create("/api/leads", json!({ "city": city, "state": "Zdates", "purchase_date": bought })).await;
        }
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.click("[data-test=add-condition]").await;
        fill_line(page, "[data-test=condition]", "state", "Zdates").await;
        page.click("[data-test=add-group]").await;
        fill_line(page, &format!("{GROUP} [data-test=condition]"), "city", "Zold").await;
        page.click(&format!("{GROUP} [data-test=add-condition]")).await;
        let second = format!("{GROUP} [data-test=condition]:nth-of-type(2)");
        page.pick_field(&format!("{second} [aria-label=Field]"), "purchase_date").await;
        page.choose(&format!("{second} [aria-label=Operator]"), "relative").await;
        page.click("[data-test=apply]").await;
        page.shows("[data-test=total]", "2 leads").await;
        let lines = json!([
            ["state", "eq", "Zdates"],
            ["any", "city", "eq", "Zold"],
            ["any", "purchase_date", "relative", "last-#-days", "7"],
        ]);
        form_is(page, lines.clone()).await;
        let at = page.place().await;
        assert!(at.ends_with("&dates=%2F_or%2F1%2Fpurchase_date%3Alast-7-days"), "{at}");

        // A link made in another year shows the last days relative to now, because its URL says so.
        let then = r#"{"state":"Zdates","_or":[{"city":"Zold"},{"purchase_date":"2021-05-01;>=|2021-05-08;<"}],"limit":"50;0"}"#;
        let then: String = url::form_urlencoded::byte_serialize(then.as_bytes()).collect();
        page.open(&format!("/leads?filter={then}&dates=/_or/1/purchase_date:last-7-days")).await;
        page.shows("[data-test=total]", "2 leads").await;
        form_is(page, lines.clone()).await;

        // A saved view with a relative date isn't marked as changed, and the date stays in its line when lines move.
        page.click("[data-test=views] summary").await;
        page.click("[data-test=view-save-as]").await;
        page.fill("[data-test=new-name]", "New or old").await;
        page.click("[data-test=create]").await;
        page.shows("[data-test=view-name]", "New or old").await;
        page.open("/leads?view=1").await;
        page.shows("[data-test=total]", "2 leads").await;
        form_is(page, lines).await;
        assert!(!page.sees("[data-test=view-change]").await);
        page.click(&format!("{GROUP} [aria-label='Remove filter']")).await;
        page.see("[data-test=view-change]").await;
        page.click("[data-test=apply]").await;
        page.shows("[data-test=total]", "1 lead").await;
        form_is(page, json!([["state", "eq", "Zdates"], ["any", "purchase_date", "relative", "last-#-days", "7"]]))
            .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn times_use_the_browsers_time_zone() {
    journey("filter_moments", async |page, server| {
        page.command("Emulation.setTimezoneOverride", json!({ "timezoneId": "Europe/Berlin" })).await;
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.fill_filter(r#"{"created_at":"2026-01-01 00:00:00;>=","limit":"50;0"}"#).await;
        page.shows(READING, "Leads created at or after 1 January 2026, 01:00.").await;
        let minute = async || page.run("return document.querySelector(arguments[0]).value.slice(0, 16)", VALUE).await;
        page.until_equal("by the clock there", json!("2026-01-01T01:00"), minute).await;
        let titles = async || {
            let read = "return [...arguments].map(css => document.querySelector(css).title)";
            page.run(read, vec![json!(VALUE), json!(READING)]).await
        };
        let exact = json!([
            "Europe/Berlin time; exactly 2026-01-01 00:00:00 UTC",
            "Leads created at or after 1 January 2026, 00:00 UTC.",
        ]);
        page.until_equal("what it is exactly", exact, titles).await;

        // Stored in UTC; summer time in the browser's zone is two hours ahead.
        let pick = "const input = document.querySelector(arguments[0]);
            input.value = arguments[1];
            input.dispatchEvent(new InputEvent('input', { bubbles: true }))";
        page.run(pick, vec![json!(VALUE), json!("2026-07-01T12:30:15")]).await;
        shows_filter(page, &json!({ "created_at": "2026-07-01 10:30:15;>=", "limit": "50;0" })).await;
        page.shows(READING, "Leads created at or after 1 July 2026, 12:30:15.").await;

        // Several times are shown as chips.
        page.fill_filter(r#"{"created_at":["2026-01-01 00:00:00","2026-07-01 10:00:00"],"limit":"50;0"}"#).await;
        let chips = async || page.texts("[data-test=condition] .chip").await;
        let expected = ["1 January 2026, 01:00", "1 July 2026, 12:00"].map(str::to_owned).to_vec();
        page.until_equal("the moments", expected, chips).await;
        page.run(pick, vec![json!(VALUE), json!("2026-02-01T09:00")]).await;
        page.run("document.querySelector(arguments[0]).focus()", VALUE).await;
        page.press(&Key::Enter).await;
        let all = json!(["2026-01-01 00:00:00", "2026-07-01 10:00:00", "2026-02-01 08:00:00"]);
        shows_filter(page, &json!({ "created_at": all, "limit": "50;0" })).await;

        // The filters of a list use the browser's time zone too.
        page.open("/calls?from=2026-01-01%2000%3A00%3A00").await;
        page.see("[data-test=call-from]").await;
        let from = async || {
            page.run("return document.querySelector('[data-test=call-from]').value.slice(0, 16)", Value::Null).await
        };
        page.until_equal("from when", json!("2026-01-01T01:00"), from).await;
        // An implausible date isn't applied, and is reported when the input loses the focus.
        page.run("document.querySelector('[data-test=call-from]').focus()", Value::Null).await;
        page.press("01011965").await;
        page.until_equal("the year is typed", json!("1965-01-01T01:00"), from).await;
        assert!(!page.sees(".not-taken").await, "years are passed while one is typed");
        page.run("document.activeElement.blur()", Value::Null).await;
        page.shows(".not-taken", "Ignored: enter a date in 1970 or later.").await;
    })
    .await;
}
