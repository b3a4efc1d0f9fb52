//! Overview: activity, pending work, callable leads, and links from each number to the counted items.

use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::{Page, grouped};

/// Waits for a row of the chart and returns its count.
async fn counted(page: &Page, key: &str) -> u64 {
    let row = format!("[data-test=bar][data-key='{key}']");
    page.see(&row).await;
    let count = page.run("return document.querySelector(arguments[0]).dataset.count", row).await;
    count.as_str().unwrap().parse().unwrap()
}

/// Formats a count: `1 lead`, `2,000 leads`.
fn counted_as(count: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(count), if count == 1 { "" } else { "s" })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_bar_links_to_the_leads_it_counts() {
    journey("today_leads", async |page, server| {
        server.admin().create("/api/leads", json!({ "last_name": "Outside" })).await;
        log_in(page, server, Role::Viewer, "/").await;
        page.shows("h1", "Today").await;
        page.see("nav a[href='/'][aria-current=page]").await;
        for code in ["frozen", "outside_calling_hours", "do_not_call", "attempt_limit", "not_in_campaign"] {
            let leads = counted(page, code).await;
            assert!(leads > 0, "the sample data have leads with {code}");
            page.click(&format!("[data-key={code}] a")).await;
            page.shows("[data-test=total]", &counted_as(leads, "lead")).await;
            page.see(&format!("[data-test=reason][data-code={code}]")).await;
            page.click(".sidebar .brand").await;
            page.is_at("/").await;
        }
        // These leads aren't blocked by a campaign, and may be so many that no other bar would be visible.
        page.see("[data-key=frozen] .bar").await;
        assert!(!page.sees("[data-key=not_in_campaign] .bar").await);
        let told = server.admin().get("/api/overview/callable").await.expect(200);
        let campaigns = told["campaigns"].as_array().unwrap();
        let most = campaigns.iter().max_by_key(|campaign| campaign["callable"].as_u64()).unwrap();
        let id = most["campaign_id"].to_string();
        let leads = counted(page, &id).await;
        page.click(&format!("[data-key='{id}'] a")).await;
        page.shows("[data-test=total]", &counted_as(leads, "lead")).await;
        page.see("[data-test=lead-row] .callable").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn days_and_queues_link_to_their_calls_and_deliveries() {
    journey("today_activity", async |page, server| {
        let token = server.speech_token("Quality team").await;
        let call = server.recorded_call(json!({})).await;
        server.submit(call, &token).await;
        log_in(page, server, Role::Viewer, "/").await;
        page.shows("[data-test=waiting]", "1").await;
        page.shows("[data-test=failed-deliveries]", "0").await;
        days(page, 30).await;
        page.click("[data-test=days-14]").await;
        page.is_at("/?days=14").await;
        days(page, 14).await;
        page.reload().await;
        days(page, 14).await;

        page.click("[aria-label='Calls per day'] summary").await;
        let figures = page.texts("[aria-label='Calls per day'] tbody tr:first-child td").await;
        let calls: u64 = figures.iter().map(|figure| figure.parse::<u64>().unwrap()).sum();
        assert!(calls > 0, "a call was made today: {figures:?}");
        page.shows("[data-test=calls-today]", &calls.to_string()).await;
        page.click("[aria-label='Calls per day'] tbody tr:first-child a").await;
        page.shows("[data-test=total]", &counted_as(calls, "call")).await;

        page.open("/").await;
        assert_eq!(counted(page, "processing").await, 0);
        page.click("[aria-label='Transcription queue'] [data-key=queued] a").await;
        page.is_at("/calls?transcription=queued").await;
        page.shows("[data-test=total]", "1 call").await;
        page.open("/").await;
        page.click("[aria-label=Deliveries] [data-key=failed] a").await;
        page.is_at("/deliveries?state=failed").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn day_links_to_calls_transcribed_on_it() {
    journey("today_transcribed", async |page, server| {
        let token = server.speech_token("Quality team").await;
        let call = server.transcribed_call(&token, json!({}), &[]).await.to_string();
        let failed = server.recorded_call(json!({})).await;
        server.submit(failed, &token).await;
        server.fail(failed, "no such codec").await;
        log_in(page, server, Role::Viewer, "/").await;
        page.click("[aria-label='Transcriptions per day'] summary").await;
        let row = "[aria-label='Transcriptions per day'] tbody tr:first-child";
        let figures = page.texts(&format!("{row} td")).await;
        let date = page.run("return document.querySelector(arguments[0]).dataset.date", row).await;
        let day = page.see(&format!("{row} a")).await.attr("href").await.unwrap();
        let bar = page.see("[aria-label='Transcriptions per day'] [data-test=day]:last-child").await;
        assert_eq!(bar.attr("href").await.unwrap(), day, "the bar leads where its row does");
        page.click(&format!("{row} a")).await;
        let count = figures.iter().map(|count| count.parse::<u64>().unwrap()).sum();
        page.shows("[data-test=total]", &counted_as(count, "call")).await;
        page.see(&format!("[data-test=call-row][data-id='{call}'] [data-test=transcript-link]")).await;
        page.see(&format!("[data-test=call-row][data-id='{failed}']")).await;

        // The inputs show the day in the browser's time zone. Clearing them removes the filter.
        let bounds = "return ['from', 'till'].map(at => document.querySelector(`[data-test=call-transcription-${at}]`).value.slice(0, 16))";
        let date = date.as_str().unwrap();
        let whole_day = json!([format!("{date}T00:00"), format!("{date}T23:59")]);
        page.until_equal("the day's bounds", whole_day, async || page.run(bounds, Value::Null).await).await;
        for input in ["from", "till"] {
            page.run(
                "const input = document.querySelector(`[data-test=call-transcription-${arguments[0]}]`);
                 input.value = ''; input.dispatchEvent(new Event('change', { bubbles: true }))",
                input,
            )
            .await;
            let is_cleared = async || (!page.place().await.contains(&format!("transcription_{input}="))).then_some(());
            page.until("it left the address", is_cleared).await;
        }
        page.is_at("/calls").await;
        page.shows("[data-test=total]", "52 calls").await;
    })
    .await;
}

/// Waits until each chart shows this number of days.
async fn days(page: &Page, count: u64) {
    let script =
        "return [...document.querySelectorAll('.day-chart')].map(e => e.querySelectorAll('[data-test=day]').length)";
    let shown = async || page.run(script, Value::Null).await;
    page.until_equal("the days are shown", json!([count, count]), shown).await;
}
