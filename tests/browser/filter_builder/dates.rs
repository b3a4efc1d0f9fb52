//! Dates in the filter: relative to now, and in the browser's time zone.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use leadscribe_server::clock::{Clock, SystemClock};
use serde_json::{Value, json};

use super::{FIELD_INPUT, FILTER_EXPLANATION, GROUP, VALUE_INPUT, expect_filter, expect_form, fill_condition};
use crate::browser::journey;
use crate::browser::login::log_in;

journey!(relative_dates_stay_relative_in_the_url, async |page, server| {
    let admin = server.admin();
    let created = admin.create("/api/leads", json!({ "city": "Zzyzx" })).await;
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.click("[data-test=add-condition]").await;
    page.select_field(FIELD_INPUT, "created_at").await;
    // A date condition starts as "last days", with a bounded number of days.
    let count = async || {
        page.run_script("return document.querySelector('[data-test=relative-count]').value", Value::Null).await
    };
    page.wait_until_equal("the number of days is set", json!("7"), count).await;
    page.fill("[data-test=relative-count]", "99999999").await;
    page.wait_until_equal("the number of days is limited", json!("3650"), count).await;
    page.wait_until("the explanation shows the same number", async || {
        page.text(FILTER_EXPLANATION).await.contains("last 3,650 days").then_some(())
    })
    .await;
    page.fill("[data-test=relative-count]", "3").await;
    // Expected value, computed by the browser.
    let script = "const from = new Date(), till = new Date();
            from.setHours(0, 0, 0, 0); till.setHours(24, 0, 0, 0); from.setDate(from.getDate() - 2);
            const text = date => date.toISOString().slice(0, 19).replace('T', ' ');
            return `${text(from)};>=|${text(till)};<`";
    let expected = page.run_script(script, Value::Null).await;
    let filter = json!({ "created_at": expected, "limit": "50;0" });
    expect_filter(page, &filter).await;
    let zone = page.run_script("return Intl.DateTimeFormat().resolvedOptions().timeZone", Value::Null).await;
    let explanation = page.text(FILTER_EXPLANATION).await;
    let expected_end = format!(" (created in the last 3 days, {} time).", zone.as_str().unwrap());
    assert!(explanation.starts_with("Leads created ") && explanation.ends_with(&expected_end), "{explanation}");

    page.click("[data-test=apply]").await;
    let path = "/leads?filter=%7B%22limit%22%3A%2250%3B0%22%7D&dates=created_at%3Alast-3-days";
    page.expect_location(path).await;
    let result = admin.search_leads(filter.clone()).await;
    let total = result["total_leads"].as_u64().unwrap();
    assert!(result["leads"].as_array().unwrap().iter().any(|lead| lead["id"] == created), "{total} leads");
    page.expect_text("[data-test=total]", &if total == 1 { "1 lead".to_owned() } else { format!("{total} leads") })
        .await;

    page.reload().await;
    expect_filter(page, &filter).await;
    page.wait_for("[data-test=relative]").await;
    let selection_script =
        "return [...document.querySelectorAll('[data-test=relative], [data-test=relative-count]')].map(e => e.value)";
    let selection = async || page.run_script(selection_script, Value::Null).await;
    page.wait_until_equal("the choice is shown", json!(["last-#-days", "3"]), selection).await;

    // Hours count back from the time of the request, so the bounds change each time.
    page.select_option("[data-test=relative]", "last-#-hours").await;
    for _ in 0..2 {
        page.click("[data-test=apply]").await;
        page.expect_location(&path.replace("last-3-days", "last-24-hours")).await;
        page.wait_for("[data-test=apply][data-applied=true]").await;
        page.wait_for("[data-test=relative]").await;
    }
    page.select_option("[data-test=relative]", "last-#-days").await;
    page.fill("[data-test=relative-count]", "3").await;
    page.type_keys(&Key::Enter).await;
    page.expect_location(path).await;

    // Sorting keeps a relative date; editing the JSON makes it absolute.
    page.click("th:first-child .sort-button").await;
    page.wait_for("th[aria-sort=ascending]:first-child").await;
    let sorted_path = page.location().await;
    assert!(sorted_path.ends_with("&dates=created_at%3Alast-3-days"), "{sorted_path}");
    page.fill_filter(r#"{"created_at":"2026-01-01 00:00:00;>=","limit":"50;0"}"#).await;
    page.wait_until_gone("[data-test=relative]").await;
    page.click("[data-test=apply]").await;
    page.expect_text(FILTER_EXPLANATION, "Leads created at or after 1 January 2026, 00:00 UTC.").await;
    let path = page.location().await;
    assert!(!path.contains("dates="), "{path}");
});

journey!(relative_dates_stay_relative_inside_groups, async |page, server| {
    let admin = server.admin();
    let today = SystemClock.now().date_naive().to_string();
    for (city, purchase_date) in [("Zold", "2020-01-01"), ("Zolder", "2021-05-02"), ("Znew", &today)] {
        admin.create("/api/leads", json!({ "city": city, "state": "Zdates", "purchase_date": purchase_date })).await;
    }
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.click("[data-test=add-condition]").await;
    fill_condition(page, "[data-test=condition]", "state", "Zdates").await;
    page.click("[data-test=add-group]").await;
    fill_condition(page, &format!("{GROUP} [data-test=condition]"), "city", "Zold").await;
    page.click(&format!("{GROUP} [data-test=add-condition]")).await;
    let second = format!("{GROUP} [data-test=condition]:nth-of-type(2)");
    page.select_field(&format!("{second} [aria-label=Field]"), "purchase_date").await;
    page.select_option(&format!("{second} [aria-label=Operator]"), "relative").await;
    page.click("[data-test=apply]").await;
    page.expect_text("[data-test=total]", "2 leads").await;
    let lines = json!([
        ["state", "eq", "Zdates"],
        ["any", "city", "eq", "Zold"],
        ["any", "purchase_date", "relative", "last-#-days", "7"],
    ]);
    expect_form(page, lines.clone()).await;
    let path = page.location().await;
    assert!(path.ends_with("&dates=%2F_or%2F1%2Fpurchase_date%3Alast-7-days"), "{path}");

    // A link made in another year shows the last 7 days as of now, because its URL contains the relative date.
    let old_filter =
        r#"{"state":"Zdates","_or":[{"city":"Zold"},{"purchase_date":"2021-05-01;>=|2021-05-08;<"}],"limit":"50;0"}"#;
    let old_filter: String = url::form_urlencoded::byte_serialize(old_filter.as_bytes()).collect();
    page.open(&format!("/leads?filter={old_filter}&dates=/_or/1/purchase_date:last-7-days")).await;
    page.expect_text("[data-test=total]", "2 leads").await;
    expect_form(page, lines.clone()).await;

    // A saved view with a relative date isn't marked as changed, and the date stays in its line when lines move.
    page.click("[data-test=views] summary").await;
    page.click("[data-test=view-save-as]").await;
    page.fill("[data-test=new-name]", "New or old").await;
    page.click("[data-test=create]").await;
    page.expect_text("[data-test=view-name]", "New or old").await;
    page.open("/leads?view=1").await;
    page.expect_text("[data-test=total]", "2 leads").await;
    expect_form(page, lines).await;
    assert!(!page.is_visible("[data-test=view-unsaved]").await);
    page.click(&format!("{GROUP} [aria-label='Remove filter']")).await;
    page.wait_for("[data-test=view-unsaved]").await;
    page.click("[data-test=apply]").await;
    page.expect_text("[data-test=total]", "1 lead").await;
    expect_form(page, json!([["state", "eq", "Zdates"], ["any", "purchase_date", "relative", "last-#-days", "7"]]))
        .await;
});

journey!(times_use_the_browsers_time_zone, async |page, server| {
    page.devtools_command("Emulation.setTimezoneOverride", json!({ "timezoneId": "Europe/Berlin" })).await;
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.fill_filter(r#"{"created_at":"2026-01-01 00:00:00;>=","limit":"50;0"}"#).await;
    page.expect_text(FILTER_EXPLANATION, "Leads created at or after 1 January 2026, 01:00.").await;
    let shown_minute =
        async || page.run_script("return document.querySelector(arguments[0]).value.slice(0, 16)", VALUE_INPUT).await;
    page.wait_until_equal("the time is in the browser's time zone", json!("2026-01-01T01:00"), shown_minute).await;
    let titles = async || {
        let script = "return [...arguments].map(css => document.querySelector(css).title)";
        page.run_script(script, vec![json!(VALUE_INPUT), json!(FILTER_EXPLANATION)]).await
    };
    let expected_titles = json!([
        "Europe/Berlin time; exactly 2026-01-01 00:00:00 UTC",
        "Leads created at or after 1 January 2026, 00:00 UTC.",
    ]);
    page.wait_until_equal("the exact time is shown", expected_titles, titles).await;

    // Stored in UTC; summer time in the browser's zone is two hours ahead.
    let set_value_script = "const input = document.querySelector(arguments[0]);
            input.value = arguments[1];
            input.dispatchEvent(new InputEvent('input', { bubbles: true }))";
    page.run_script(set_value_script, vec![json!(VALUE_INPUT), json!("2026-07-01T12:30:15")]).await;
    expect_filter(page, &json!({ "created_at": "2026-07-01 10:30:15;>=", "limit": "50;0" })).await;
    page.expect_text(FILTER_EXPLANATION, "Leads created at or after 1 July 2026, 12:30:15.").await;

    // Several times are shown as chips.
    page.fill_filter(r#"{"created_at":["2026-01-01 00:00:00","2026-07-01 10:00:00"],"limit":"50;0"}"#).await;
    let chips = async || page.texts("[data-test=condition] .chip").await;
    let expected = ["1 January 2026, 01:00", "1 July 2026, 12:00"].map(str::to_owned).to_vec();
    page.wait_until_equal("the times are shown", expected, chips).await;
    page.run_script(set_value_script, vec![json!(VALUE_INPUT), json!("2026-02-01T09:00")]).await;
    page.run_script("document.querySelector(arguments[0]).focus()", VALUE_INPUT).await;
    page.type_keys(&Key::Enter).await;
    let expected_times = json!(["2026-01-01 00:00:00", "2026-07-01 10:00:00", "2026-02-01 08:00:00"]);
    expect_filter(page, &json!({ "created_at": expected_times, "limit": "50;0" })).await;

    // The filters of a list use the browser's time zone too.
    page.open("/calls?from=2026-01-01%2000%3A00%3A00").await;
    page.wait_for("[data-test=call-from]").await;
    let from_value = async || {
        page.run_script("return document.querySelector('[data-test=call-from]').value.slice(0, 16)", Value::Null).await
    };
    page.wait_until_equal("the start time is shown", json!("2026-01-01T01:00"), from_value).await;
    // An implausible date isn't applied, and is reported when the input loses the focus.
    page.run_script("document.querySelector('[data-test=call-from]').focus()", Value::Null).await;
    page.type_keys("01011965").await;
    page.wait_until_equal("the year is typed", json!("1965-01-01T01:00"), from_value).await;
    assert!(!page.is_visible(".invalid-value-note").await, "an incomplete year is not reported while typing");
    page.run_script("document.activeElement.blur()", Value::Null).await;
    page.expect_text(".invalid-value-note", "Ignored: enter a date in 1970 or later.").await;
});
