//! Lead list: its columns, and exports.

use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::leads::expect_rows;
use super::login::log_in;
use super::page::Page;
use crate::harness::body;

const COLUMN_ITEM: &str = "[data-test=columns] [data-test=column]";

async fn expect_chosen_columns(page: &Page, names: &[&str]) {
    let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
    page.expect_attributes(COLUMN_ITEM, "data-name", &names).await;
}

async fn expect_headers(page: &Page, expected: &[&str]) {
    let header_texts = async || page.texts(".lead-table th").await;
    let expected: Vec<_> = expected.iter().map(|head| (*head).to_owned()).collect();
    page.wait_until_equal("the column headers are shown", expected, header_texts).await;
}

journey!(chosen_columns_are_in_the_url_and_remembered, async |page, server| {
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.click("[data-test=choose-columns]").await;
    expect_chosen_columns(page, &["number", "place", "campaigns", "global_updated_at"]).await;
    page.select_option("[data-test=column-add]", "email").await;
    page.select_option("[data-test=column-add]", "do_not_call").await;
    page.click("[data-name=campaigns] [data-test=column-remove]").await;
    page.click("[data-name=email] [data-test=column-up]").await;
    expect_chosen_columns(page, &["number", "place", "email", "global_updated_at", "do_not_call"]).await;
    let focused_element = async || page.run_script("return document.activeElement.id", Value::Null).await;
    page.wait_until_equal("the button keeps the focus", json!("column-up-email"), focused_element).await;
    page.type_keys(" ").await;
    expect_chosen_columns(page, &["number", "email", "place", "global_updated_at", "do_not_call"]).await;
    page.click("[data-test=columns-close]").await;

    let path = "/leads?columns=number%2Cemail%2Cplace%2Cglobal_updated_at%2Cdo_not_call";
    page.expect_location(path).await;
    let headers = ["Lead", "Phone", "Email", "Location", "Updated", "Do not call"];
    expect_headers(page, &headers).await;
    page.reload().await;
    expect_headers(page, &headers).await;

    // Sorting keeps the columns.
    page.click("th:nth-child(3) .sort-button").await;
    page.wait_for("th[aria-sort=ascending]:nth-child(3)").await;
    let filter = json!({ "_order": "email", "limit": "50;0" });
    expect_rows(page, server, &filter).await;
    expect_headers(page, &headers).await;

    // Without columns in the URL, the previous ones are used and added to the URL.
    page.open("/leads").await;
    page.expect_location(path).await;
    expect_headers(page, &headers).await;
    page.open("/leads?columns=city,custom.tier,nonsense,city").await;
    expect_headers(page, &["Lead", "City", "tier"]).await;
    page.click("[data-test=choose-columns]").await;
    page.click("[data-test=columns-reset]").await;
    page.click("[data-test=columns-close]").await;
    page.expect_location("/leads").await;
    expect_headers(page, &["Lead", "Phone", "Location", "Campaigns\nCallable?", "Updated"]).await;
});

journey!(all_matching_leads_can_be_exported, async |page, server| {
    log_in(page, server, Role::Viewer, "/leads").await;
    page.fill_filter(r#"{"last_name":{"starts_with":"S"},"limit":"25;0"}"#).await;
    page.click("[data-test=apply]").await;
    let filter = json!({ "last_name": { "starts_with": "S" } });
    let total = server.admin().count_leads(filter).await;
    page.expect_text("[data-test=total]", &format!("{total} leads")).await;

    page.click("[data-test=export] summary").await;
    for (name, format, lines) in [("csv", "csv", total + 1), ("jsonl", "jsonl", total), ("shown", "csv", total + 1)] {
        let link = format!("[data-test=export-{name}]");
        page.wait_for(&link).await;
        // Downloads the file with the browser's session.
        let script = "const [css, done] = arguments;
                const link = document.querySelector(css);
                fetch(link.href).then(async response => done([
                    link.hasAttribute('download'), response.headers.get('content-disposition'), await response.text()
                ]))";
        let download = page.run_async_script(script, vec![json!(link)]).await;
        let file = download[1].as_str().unwrap();
        assert_eq!(download[0], true);
        assert!(file.starts_with("attachment; filename=\"leads-") && file.ends_with(&format!(".{format}\"")), "{file}");
        let text = download[2].as_str().unwrap().trim_start_matches('\u{feff}');
        assert_eq!(text.lines().count() as u64, lines, "{name}");
        let shown_header = "id,first_name,last_name,number,place,campaigns,global_updated_at";
        assert_eq!(text.lines().next() == Some(shown_header), name == "shown", "the visible columns in order");
    }
});

/// Returns a column of the first leads: for each lead, its text for each campaign.
async fn campaign_lines(page: &Page, label: &str) -> Value {
    let script = "return [...document.querySelectorAll('[data-test=lead-row]')].slice(0, 5).map(row =>
        [...row.querySelectorAll(`[data-label='${arguments[0]}'] [data-test=campaign-value]`)].map(value =>
            [...value.childNodes].filter(node => !node.classList?.contains('campaign-label'))
                .map(node => node.textContent).join('').trim()))";
    page.run_script(script, label).await
}

journey!(columns_show_a_line_per_campaign, async |page, server| {
    let admin = server.admin();
    log_in(page, server, Role::Viewer, "/leads").await;
    let filter_value = json!({ "calls_count": { "gte": 1 }, "_campaigns": "all", "limit": "50;0" });
    let fetch_leads = async || admin.search_leads(filter_value.clone()).await;
    let leads = fetch_leads().await["leads"].clone();
    let lead_index = (0..5).find(|lead| leads[lead]["campaigns"].as_array().unwrap().len() > 1);
    let lead_index = lead_index.expect("one of the first leads is in several campaigns");
    let users = admin.get("/api/users").await.expect(200);
    let viewer = users["items"].as_array().unwrap().iter().find(|item| item["email"] == "viewer@example.com").unwrap();
    for (campaign, user) in [(0, viewer["id"].clone()), (1, json!(4711))] {
        let id = leads[lead_index]["campaigns"][campaign]["campaign_lead_id"].to_string();
        let change = json!({ "assigned_user_id": user });
        admin.patch(&format!("/api/campaign-leads/{id}"), body(change)).await.expect(200);
    }

    let columns = "campaign_name,calls_count,next_call,not_callable_reasons,assigned_user_id";
    let filter: String = url::form_urlencoded::byte_serialize(filter_value.to_string().as_bytes()).collect();
    page.open(&format!("/leads?filter={filter}&columns={columns}")).await;
    expect_headers(page, &["Lead", "Campaign", "Calls", "Next call", "Callable?", "Assigned to"]).await;
    let of_first_leads = |leads: &Value, describe: &dyn Fn(&Value) -> Value| {
        let leads = leads.as_array().unwrap().iter().take(5);
        let described =
            leads.map(|lead| lead["campaigns"].as_array().unwrap().iter().map(describe).collect::<Vec<_>>());
        json!(described.collect::<Vec<_>>())
    };
    let leads = fetch_leads().await["leads"].clone();
    let names = of_first_leads(&leads, &|item| item["campaign_name"].clone());
    page.wait_until_equal("the campaigns are shown", names, async || campaign_lines(page, "Campaign").await).await;
    let calls = of_first_leads(&leads, &|item| json!(item["calls_count"].to_string()));
    page.wait_until_equal("the calls per campaign are shown", calls, async || campaign_lines(page, "Calls").await)
        .await;
    let assignees = of_first_leads(&leads, &|item| match item["assigned_user_id"].as_i64() {
        None => json!("–"),
        Some(4711) => json!("Agent 4711"),
        Some(id) if viewer["id"] == id => json!("viewer@example.com"),
        Some(other) => json!(format!("Agent {other}")),
    });
    page.wait_until_equal("the assignees are shown", assignees, async || campaign_lines(page, "Assigned to").await)
        .await;

    // A campaign's lines have the same height in all columns.
    let line_heights_script = "const row = document.querySelectorAll('[data-test=lead-row]')[arguments[0]];
            const columns = [...row.querySelectorAll('.campaign-values-cell, .lead-campaigns')].map(cell =>
                [...cell.querySelectorAll('[data-test=campaign-value], .campaign-line:has(.campaign-values)')]
                    .map(line => line.getBoundingClientRect()).map(({ top, height }) => [top, height].map(Math.round)).join());
            return [columns.length, new Set(columns).size]";
    assert_eq!(page.run_script(line_heights_script, json!(lead_index)).await, json!([5, 1]));
    // The tooltip shows truncated text with its campaign.
    let hover_script = "const row = document.querySelectorAll('[data-test=lead-row]')[arguments[0]];
            const value = row.querySelector('[data-label=Calls] [data-test=campaign-value]');
            value.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
            return value.title";
    let first_campaign = &leads[lead_index]["campaigns"][0];
    let expected_tooltip =
        format!("{}:\n{}", first_campaign["campaign_name"].as_str().unwrap(), first_campaign["calls_count"]);
    assert_eq!(page.run_script(hover_script, json!(lead_index)).await, json!(expected_tooltip));

    // The reasons, in the server's order.
    let script = "return [...document.querySelectorAll('[data-test=lead-row]')].slice(0, 5).map(row =>
            [...row.querySelectorAll(\"[data-label='Callable?'] [data-test=campaign-value]\")].map(value =>
                [...value.querySelectorAll('[data-test=reason]')].map(chip => chip.dataset.code)))";
    let codes = of_first_leads(&leads, &|item| {
        let codes = item["not_callable_reasons"].as_array().unwrap().iter();
        json!(codes.map(|reason| reason["code"].clone()).collect::<Vec<_>>())
    });
    page.wait_until_equal("the reasons are shown", codes, async || page.run_script(script, Value::Null).await).await;

    // These columns are added in the dialog like any other column.
    page.click("[data-test=choose-columns]").await;
    page.select_option("[data-test=column-add]", "status").await;
    page.click("[data-test=columns-close]").await;
    expect_headers(page, &["Lead", "Campaign", "Calls", "Next call", "Callable?", "Assigned to", "Status"]).await;

    // The lines of the campaigns column are aligned too.
    page.open(&format!("/leads?filter={filter}&columns=campaigns,status,weight")).await;
    page.wait_for("[data-test=campaign-value] .badge").await;
    assert_eq!(page.run_script(line_heights_script, json!(lead_index)).await, json!([3, 1]));
});
