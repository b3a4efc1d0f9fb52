//! Overview: activity, pending work, callable leads, and links from each number to the counted items.

use leadscribe_engine::api::Role;
use leadscribe_engine::diagnostic::Message;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::{Page, format_grouped};

/// Waits for a row of the chart and returns its count.
async fn bar_count(page: &Page, key: &str) -> u64 {
    let row = format!("[data-test=bar][data-key='{key}']");
    page.wait_for(&row).await;
    let count = page.run_script("return document.querySelector(arguments[0]).dataset.count", row).await;
    count.as_str().unwrap().parse().unwrap()
}

/// Formats a count: `1 lead`, `2,000 leads`.
fn format_count(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", format_grouped(count), if count == 1 { "" } else { "s" })
}

journey!(each_bar_links_to_the_leads_it_counts, async |page, server| {
    server.admin().create("/api/leads", json!({ "last_name": "Outside" })).await;
    log_in(page, server, Role::Viewer, "/").await;
    page.expect_text("h1", "Today").await;
    page.wait_for("nav a[href='/'][aria-current=page]").await;
    for code in ["frozen", "outside_calling_hours", "do_not_call", "attempt_limit", "not_in_campaign"] {
        let leads = bar_count(page, code).await;
        assert!(leads > 0, "the sample data has no leads with {code}");
        page.click(&format!("[data-key={code}] a")).await;
        page.expect_text("[data-test=total]", &format_count(leads, "lead")).await;
        page.wait_for(&format!("[data-test=reason][data-code={code}]")).await;
        page.click(".sidebar .brand").await;
        page.expect_location("/").await;
    }
    // These leads aren't blocked by a campaign, and may be so many that no other bar would be visible.
    page.wait_for("[data-key=frozen] .bar").await;
    assert!(!page.is_visible("[data-key=not_in_campaign] .bar").await);
    let overview = server.admin().get("/api/overview/callable").await.expect(200);
    let campaigns = overview["campaigns"].as_array().unwrap();
    let largest_campaign = campaigns.iter().max_by_key(|campaign| campaign["callable"].as_u64()).unwrap();
    let id = largest_campaign["campaign_id"].to_string();
    let leads = bar_count(page, &id).await;
    page.click(&format!("[data-key='{id}'] a")).await;
    page.expect_text("[data-test=total]", &format_count(leads, "lead")).await;
    page.wait_for("[data-test=lead-row] .callable").await;
});

journey!(days_and_queues_link_to_their_calls_and_deliveries, async |page, server| {
    let token = server.create_speech_token("Quality team").await;
    let call = server.create_recorded_call(json!({})).await;
    server.submit_call(call, &token).await;
    log_in(page, server, Role::Viewer, "/").await;
    page.expect_text("[data-test=waiting]", "1").await;
    page.expect_text("[data-test=failed-deliveries]", "0").await;
    expect_days(page, 30).await;
    page.click("[data-test=days-14]").await;
    page.expect_location("/?days=14").await;
    expect_days(page, 14).await;
    page.reload().await;
    expect_days(page, 14).await;

    page.click("[aria-label='Calls per day'] summary").await;
    let counts = page.texts("[aria-label='Calls per day'] tbody tr:first-child td").await;
    let calls: u64 = counts.iter().map(|count| count.parse::<u64>().unwrap()).sum();
    assert!(calls > 0, "a call was made today: {counts:?}");
    page.expect_text("[data-test=calls-today]", &calls.to_string()).await;
    page.click("[aria-label='Calls per day'] tbody tr:first-child a").await;
    page.expect_text("[data-test=total]", &format_count(calls, "call")).await;

    page.open("/").await;
    assert_eq!(bar_count(page, "processing").await, 0);
    page.click("[aria-label='Transcription queue'] [data-key=queued] a").await;
    page.expect_location("/calls?transcription=queued").await;
    page.expect_text("[data-test=total]", "1 call").await;
    page.open("/").await;
    page.click("[aria-label=Deliveries] [data-key=failed] a").await;
    page.expect_location("/deliveries?state=failed").await;
});

journey!(day_links_to_calls_transcribed_on_it, async |page, server| {
    let token = server.create_speech_token("Quality team").await;
    let call = server.create_transcribed_call(&token, json!({}), &[]).await.to_string();
    let failed = server.create_recorded_call(json!({})).await;
    server.submit_call(failed, &token).await;
    server.fail_transcription(failed, Message::from_stored("no such codec".to_owned())).await;
    log_in(page, server, Role::Viewer, "/").await;
    page.click("[aria-label='Transcriptions per day'] summary").await;
    let row = "[aria-label='Transcriptions per day'] tbody tr:first-child";
    let counts = page.texts(&format!("{row} td")).await;
    let date = page.run_script("return document.querySelector(arguments[0]).dataset.date", row).await;
    let day_link = page.wait_for(&format!("{row} a")).await.attr("href").await.unwrap();
    let bar = page.wait_for("[aria-label='Transcriptions per day'] [data-test=day]:last-child").await;
    assert_eq!(bar.attr("href").await.unwrap(), day_link, "the bar has the same link as its row");
    page.click(&format!("{row} a")).await;
    let count = counts.iter().map(|count| count.parse::<u64>().unwrap()).sum();
    page.expect_text("[data-test=total]", &format_count(count, "call")).await;
    page.wait_for(&format!("[data-test=call-row][data-id='{call}'] [data-test=transcript-link]")).await;
    page.wait_for(&format!("[data-test=call-row][data-id='{failed}']")).await;

    // The inputs show the day in the browser's time zone. Clearing them removes the filter.
    let inputs_script = "return ['from', 'till'].map(at => document.querySelector(`[data-test=call-transcription-${at}]`).value.slice(0, 16))";
    let date = date.as_str().unwrap();
    let expected_bounds = json!([format!("{date}T00:00"), format!("{date}T23:59")]);
    page.wait_until_equal("the inputs show the day's bounds", expected_bounds, async || {
        page.run_script(inputs_script, Value::Null).await
    })
    .await;
    for input in ["from", "till"] {
        page.run_script(
            "const input = document.querySelector(`[data-test=call-transcription-${arguments[0]}]`);
                 input.value = ''; input.dispatchEvent(new Event('change', { bubbles: true }))",
            input,
        )
        .await;
        let is_cleared = async || (!page.location().await.contains(&format!("transcription_{input}="))).then_some(());
        page.wait_until("the parameter is removed from the URL", is_cleared).await;
    }
    page.expect_location("/calls").await;
    page.expect_text("[data-test=total]", "52 calls").await;
});

/// Waits until each chart shows this number of days.
async fn expect_days(page: &Page, count: u64) {
    let script = "return [...document.querySelectorAll('.day-chart')].map(e => e.querySelectorAll('tbody tr').length)";
    let day_counts = async || page.run_script(script, Value::Null).await;
    page.wait_until_equal("the days are shown", json!([count, count]), day_counts).await;
}
