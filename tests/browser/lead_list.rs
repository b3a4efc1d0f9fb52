//! The list of leads: its columns, and the whole of it as a file.

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
async fn columns_are_chosen_kept_in_the_address_and_remembered() {
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
        let shown = ["Lead", "Phone", "E-mail", "Place", "Updated", "Do not call"];
        heads(page, &shown).await;
        page.reload().await;
        heads(page, &shown).await;

        // Sorted by a head, the columns stay.
        page.click("th:nth-child(3) .sort-button").await;
        page.see("th[aria-sort=ascending]:nth-child(3)").await;
        let filter = json!({ "_order": "email", "limit": "50;0" });
        let found = server.admin().put("/api/leads/extended-data", body(filter)).await.expect(200);
        let ids: Vec<_> = found["leads"].as_array().unwrap().iter().map(|lead| lead["id"].to_string()).collect();
        page.lists("[data-test=lead-row]", "data-id", &ids).await;
        heads(page, &shown).await;

        // Whoever comes without columns in the address gets those of before, and the address has them again.
        page.open("/leads").await;
        page.is_at(place).await;
        heads(page, &shown).await;
        page.open("/leads?columns=city,custom.tier,nonsense,city").await;
        heads(page, &["Lead", "City", "tier"]).await;
        page.click("[data-test=choose-columns]").await;
        page.click("[data-test=columns-usual]").await;
        page.click("[data-test=columns-done]").await;
        page.is_at("/leads").await;
        heads(page, &["Lead", "Phone", "Place", "Campaigns\nWhy not callable", "Updated"]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_whole_result_is_saved_as_a_file() {
    journey("lead_export", async |page, server| {
        log_in(page, server, Role::Viewer, "/leads").await;
        page.fill("[data-test=filter-json]", r#"{"last_name":{"starts_with":"S"},"limit":"25;0"}"#).await;
        page.click("[data-test=apply]").await;
        let filter = json!({ "last_name": { "starts_with": "S" } });
        let found = server.admin().put("/api/leads/extended-data", body(filter)).await.expect(200);
        let total = found["total_leads"].as_u64().unwrap();
        page.shows("[data-test=total]", &format!("{total} leads")).await;

        page.click("[data-test=export] summary").await;
        for (format, lines) in [("csv", total + 1), ("jsonl", total)] {
            let link = format!("[data-test=export-{format}]");
            page.see(&link).await;
            // What the browser would save, by the session's own cookie.
            let script = "const [css, done] = arguments;
                const link = document.querySelector(css);
                fetch(link.href).then(async answer => done([
                    link.hasAttribute('download'), answer.headers.get('content-disposition'), await answer.text()
                ]))";
            let saved = page.run_async(script, vec![json!(link)]).await;
            let name = saved[1].as_str().unwrap();
            assert_eq!(saved[0], true);
            assert!(
                name.starts_with("attachment; filename=\"leads-") && name.ends_with(&format!(".{format}\"")),
                "{name}"
            );
            assert_eq!(saved[2].as_str().unwrap().lines().count() as u64, lines, "{format}");
        }
    })
    .await;
}
