//! Lead list: its columns, and exports.

use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;
use crate::harness::body;

const LINE: &str = "[data-test=columns] [data-test=column]";

async fn chosen(page: &Page, names: &[&str]) {
    let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
    page.lists(LINE, "data-name", &names).await;
}

async fn heads(page: &Page, expected: &[&str]) {
    let read = async || page.texts(".lead-table th").await;
    let expected: Vec<_> = expected.iter().map(|head| (*head).to_owned()).collect();
    page.until_equal("the heads of the table", expected, read).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chosen_columns_are_in_the_url_and_remembered() {
    journey("lead_columns", async |page, server| {
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.click("[data-test=choose-columns]").await;
        chosen(page, &["number", "place", "campaigns", "global_updated_at"]).await;
        page.choose("[data-test=column-add]", "email").await;
        page.choose("[data-test=column-add]", "do_not_call").await;
        page.click("[data-name=campaigns] [data-test=column-remove]").await;
        page.click("[data-name=email] [data-test=column-up]").await;
        chosen(page, &["number", "place", "email", "global_updated_at", "do_not_call"]).await;
        let focused = async || page.run("return document.activeElement.id", Value::Null).await;
        page.until_equal("the keyboard stays at the button", json!("column-up-email"), focused).await;
        page.press(" ").await;
        chosen(page, &["number", "email", "place", "global_updated_at", "do_not_call"]).await;
        page.click("[data-test=columns-done]").await;

        let place = "/leads?columns=number%2Cemail%2Cplace%2Cglobal_updated_at%2Cdo_not_call";
        page.is_at(place).await;
        let shown = ["Lead", "Phone", "E-mail", "Location", "Updated", "Do not call"];
        heads(page, &shown).await;
        page.reload().await;
        heads(page, &shown).await;

        // Sorting keeps the columns.
        page.click("th:nth-child(3) .sort-button").await;
        page.see("th[aria-sort=ascending]:nth-child(3)").await;
        let filter = json!({ "_order": "email", "limit": "50;0" });
        let found = server.admin().put("/api/leads/extended-data", body(filter)).await.expect(200);
        let ids: Vec<_> = found["leads"].as_array().unwrap().iter().map(|lead| lead["id"].to_string()).collect();
        page.lists("[data-test=lead-row]", "data-id", &ids).await;
        heads(page, &shown).await;

        // Without columns in the URL, the previous ones are used and added to the URL.
        page.open("/leads").await;
        page.is_at(place).await;
        heads(page, &shown).await;
        page.open("/leads?columns=city,custom.tier,nonsense,city").await;
        heads(page, &["Lead", "City", "tier"]).await;
        page.click("[data-test=choose-columns]").await;
        page.click("[data-test=columns-usual]").await;
        page.click("[data-test=columns-done]").await;
        page.is_at("/leads").await;
        heads(page, &["Lead", "Phone", "Location", "Campaigns\nCallable?", "Updated"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_matching_leads_can_be_exported() {
    journey("lead_export", async |page, server| {
        log_in(page, server, Role::Viewer, "/leads").await;
        page.fill_filter(r#"{"last_name":{"starts_with":"S"},"limit":"25;0"}"#).await;
        page.click("[data-test=apply]").await;
        let filter = json!({ "last_name": { "starts_with": "S" } });
        let found = server.admin().put("/api/leads/extended-data", body(filter)).await.expect(200);
        let total = found["total_leads"].as_u64().unwrap();
        page.shows("[data-test=total]", &format!("{total} leads")).await;

        page.click("[data-test=export] summary").await;
        for (name, format, lines) in [("csv", "csv", total + 1), ("jsonl", "jsonl", total), ("shown", "csv", total + 1)]
        {
            let link = format!("[data-test=export-{name}]");
            page.see(&link).await;
            // Downloads the file with the browser's session.
            let script = "const [css, done] = arguments;
                const link = document.querySelector(css);
                fetch(link.href).then(async answer => done([
                    link.hasAttribute('download'), answer.headers.get('content-disposition'), await answer.text()
                ]))";
            let saved = page.run_async(script, vec![json!(link)]).await;
            let file = saved[1].as_str().unwrap();
            assert_eq!(saved[0], true);
            assert!(
                file.starts_with("attachment; filename=\"leads-") && file.ends_with(&format!(".{format}\"")),
                "{file}"
            );
            let text = saved[2].as_str().unwrap().trim_start_matches('\u{feff}');
            assert_eq!(text.lines().count() as u64, lines, "{name}");
            let shown = "id,first_name,last_name,number,place,campaigns,global_updated_at";
            assert_eq!(
                text.lines().next() == Some(shown),
                name == "shown",
                "the columns that are shown, in their order"
            );
        }
    })
    .await;
}

/// Returns a column of the first leads: for each lead, its text for each campaign.
async fn facts(page: &Page, label: &str) -> Value {
    let script = "return [...document.querySelectorAll('[data-test=lead-row]')].slice(0, 5).map(row =>
        [...row.querySelectorAll(`[data-label='${arguments[0]}'] [data-test=fact]`)].map(fact =>
            [...fact.childNodes].filter(part => !part.classList?.contains('campaign-of')).map(part => part.textContent).join('').trim()))";
    page.run(script, label).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn columns_show_a_line_per_campaign() {
    journey("lead_facts", async |page, server| {
        let admin = server.admin();
        log_in(page, server, Role::Viewer, "/leads").await;
        let in_several = json!({ "calls_count": { "gte": 1 }, "_campaigns": "all", "limit": "50;0" });
        let found = async || admin.put("/api/leads/extended-data", body(in_several.clone())).await.expect(200);
        let leads = found().await["leads"].clone();
        let several = (0..5).find(|lead| leads[lead]["campaigns"].as_array().unwrap().len() > 1);
        let several = several.expect("one of the first leads is in several campaigns");
        let staff = admin.get("/api/users").await.expect(200);
        let viewer = staff["items"].as_array().unwrap().iter().find(|one| one["email"] == "viewer@example.com").unwrap();
        for (campaign, user) in [(0, viewer["id"].clone()), (1, json!(4711))] {
            let id = leads[several]["campaigns"][campaign]["campaign_lead_id"].to_string();
            let change = json!({ "assigned_user_id": user });
            admin.patch(&format!("/api/campaign-leads/{id}"), body(change)).await.expect(200);
        }

        let columns = "campaign_name,calls_count,next_call,not_callable_reasons,assigned_user_id";
        let filter: String = url::form_urlencoded::byte_serialize(in_several.to_string().as_bytes()).collect();
        page.open(&format!("/leads?filter={filter}&columns={columns}")).await;
        heads(page, &["Lead", "Campaign", "Calls", "Next call", "Callable?", "Assigned to"]).await;
        let of_first = |leads: &Value, tell: &dyn Fn(&Value) -> Value| {
            let leads = leads.as_array().unwrap().iter().take(5);
            let each = leads.map(|lead| lead["campaigns"].as_array().unwrap().iter().map(tell).collect::<Vec<_>>());
            json!(each.collect::<Vec<_>>())
        };
        let leads = found().await["leads"].clone();
        let names = of_first(&leads, &|one| one["campaign_name"].clone());
        page.until_equal("the campaigns", names, async || facts(page, "Campaign").await).await;
        let calls = of_first(&leads, &|one| json!(one["calls_count"].to_string()));
        page.until_equal("the calls in each", calls, async || facts(page, "Calls").await).await;
        let to_whom = of_first(&leads, &|one| match one["assigned_user_id"].as_i64() {
            None => json!("–"),
            Some(4711) => json!("Agent 4711"),
            Some(id) if viewer["id"] == id => json!("viewer@example.com"),
            Some(other) => json!(format!("Agent {other}")),
        });
        page.until_equal("whom they are assigned to", to_whom, async || facts(page, "Assigned to").await).await;

        // A campaign's lines have the same height in all columns.
        let heights = "const row = document.querySelectorAll('[data-test=lead-row]')[arguments[0]];
            const columns = [...row.querySelectorAll('.campaign-facts-cell, .lead-campaigns')].map(cell =>
                [...cell.querySelectorAll('[data-test=fact], .campaign-line:has(.campaign-facts)')]
                    .map(line => line.getBoundingClientRect()).map(({ top, height }) => [top, height].map(Math.round)).join());
            return [columns.length, new Set(columns).size]";
        assert_eq!(page.run(heights, json!(several)).await, json!([5, 1]));
        // The tooltip shows truncated text with its campaign.
        let hover = "const row = document.querySelectorAll('[data-test=lead-row]')[arguments[0]];
            const fact = row.querySelector('[data-label=Calls] [data-test=fact]');
            fact.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
            return fact.title";
        let first = &leads[several]["campaigns"][0];
        let whole = format!("{}:\n{}", first["campaign_name"].as_str().unwrap(), first["calls_count"]);
        assert_eq!(page.run(hover, json!(several)).await, json!(whole));

        // Reasons in words, with the rule in the tooltip; the first is the server's first.
        let reasons = "return [...document.querySelectorAll('[data-test=lead-row]')].slice(0, 5).map(row =>
            [...row.querySelectorAll(\"[data-label='Callable?'] [data-test=fact]\")].map(fact =>
                [...fact.querySelectorAll('[data-test=reason]')].map(chip => chip.dataset.code)))";
        let codes = of_first(&leads, &|one| {
            let codes = one["not_callable_reasons"].as_array().unwrap().iter();
            json!(codes.map(|reason| reason["code"].clone()).collect::<Vec<_>>())
        });
        page.until_equal("the reasons", codes, async || page.run(reasons, Value::Null).await).await;

        // These columns are added in the dialog like others.
        page.click("[data-test=choose-columns]").await;
        page.choose("[data-test=column-add]", "status").await;
        page.click("[data-test=columns-done]").await;
        heads(page, &["Lead", "Campaign", "Calls", "Next call", "Callable?", "Assigned to", "Status"]).await;

        // The lines of the campaigns column are aligned too.
        page.open(&format!("/leads?filter={filter}&columns=campaigns,status,weight")).await;
        page.see("[data-test=fact] .badge").await;
        assert_eq!(page.run(heights, json!(several)).await, json!([3, 1]));
    })
    .await;
}
