//! Keyboard use of lists: the same keys in each of them.

use fantoccini::key::Key;
use serde_json::{Value, json};

use super::bulk::says;
use super::page::Page;
use super::{stage, visit};

/// Every list of the panel with its own URL.
const LISTS: [&str; 12] = [
    "/leads",
    "/campaigns",
    "/calls",
    "/transcripts",
    "/deliveries",
    "/imports",
    "/settings?tab=tokens",
    "/settings?tab=keys",
    "/settings?tab=users",
    "/settings?tab=statuses",
    "/settings?tab=endpoints",
    "/settings?tab=audit",
];

const ROW: &str = "[data-row]";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_move_through_the_rows_of_every_list() {
    let server = stage::server().await;
    visit("rows", server.base(), async |page| {
        stage::enter(page).await;
        let calls = server.admin().get("/api/calls?limit=1;0").await.expect(200);
        let of_lead = format!("/leads/{}", calls["items"][0]["lead_id"]);
        for place in LISTS.into_iter().chain([of_lead.as_str()]) {
            page.open(place).await;
            page.see(ROW).await;
            page.see_gone(".skeleton").await;
            let last = count(page).await - 1;
            // Without a focused row, the first visible row gets the focus.
            let enter = "document.activeElement.blur(); document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })";
            page.run(enter, ROW).await;
            page.press(&Key::Down).await;
            is_at(page, place, 0).await;
            page.press(&Key::Down).await;
            is_at(page, place, last.min(1)).await;
            page.press(&Key::End).await;
            is_at(page, place, last).await;
            page.press(&Key::Down).await;
            page.press(&Key::Up).await;
            is_at(page, place, (last - 1).max(0)).await;
            page.press(&Key::Home).await;
            is_at(page, place, 0).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn click_on_a_row_opens_it_and_headers_stay_visible() {
    let server = stage::server().await;
    visit("row_press", server.base(), async |page| {
        stage::enter(page).await;
        page.open("/calls").await;
        page.see("[data-test=call-row]").await;
        let heads = "scrollTo(0, 900); const head = document.querySelector('thead th').getBoundingClientRect();
            const seen = document.elementFromPoint(head.x + 5, head.y + head.height / 2);
            return [scrollY > 500, seen?.closest('thead') !== null]";
        let read = async || page.run(heads, Value::Null).await;
        page.until_equal("the heads stay below that of the page", json!([true, true]), read).await;
        let call = page.run("return document.querySelectorAll(arguments[0])[20].dataset.id", ROW).await;
        let row = format!("[data-row][data-id='{}']", call.as_str().unwrap());
        // The outcome isn't a link.
        page.click(&format!("{row} .badge")).await;
        page.is_at(&format!("/calls/{}", call.as_str().unwrap())).await;
        comes_back_to(page, &call).await;
        // Selected text can be copied, so it doesn't open the row.
        let mark =
            "const cell = document.querySelector(arguments[0] + ' .badge'); getSelection().selectAllChildren(cell);
            cell.click(); return location.pathname";
        assert_eq!(page.run(mark, row.as_str()).await, "/calls");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn enter_opens_a_row_and_x_or_space_selects_it() {
    let server = stage::server().await;
    visit("row_deeds", server.base(), async |page| {
        stage::enter(page).await;
        page.open("/calls").await;
        page.see("[data-test=call-row]").await;
        let selected = async |count: i64| {
            let script = "return document.querySelectorAll('[data-row][aria-selected=true]').length";
            let read = async || page.run(script, Value::Null).await;
            page.until_equal("so many are selected", json!(count), read).await;
        };
        page.press(&Key::Down).await;
        is_at(page, "/calls", 0).await;
        page.press("x").await;
        selected(1).await;
        page.press(&Key::Down.to_string().repeat(3)).await;
        page.press(&(Key::Shift + "x")).await;
        selected(4).await;
        page.press(" ").await;
        selected(3).await;
        page.press(&Key::Escape).await;
        selected(0).await;
        let call = page.run("return document.activeElement.closest('tr').dataset.id", Value::Null).await;
        page.press(&Key::Enter).await;
        page.is_at(&format!("/calls/{}", call.as_str().unwrap())).await;
        comes_back_to(page, &call).await;

        // Sorting keeps the selection.
        page.press("x").await;
        selected(1).await;
        page.click("thead .sort-button").await;
        page.until("the order is in the address", async || page.place().await.contains("order=").then_some(())).await;
        page.see(".table-wrap[aria-busy=false]").await;
        selected(1).await;

        page.click("[data-test=call-row] [data-test=select-call]:not(:checked)").await;
        selected(2).await;
        page.choose("[aria-label=Outcome]", "answered").await;
        says(page, "Selection cleared: the list changed").await;
        selected(0).await;

        // From a checkbox, the arrow keys move to other checkboxes, and Enter opens the row.
        page.open("/leads").await;
        page.see("[data-test=lead-row]").await;
        page.run("document.querySelector(arguments[0]).focus()", "[data-row] .checkbox").await;
        page.press(&Key::Down).await;
        page.press(" ").await;
        page.shows("[data-test=selected]", "1 lead selected").await;
        let lead = page.run("return document.activeElement.closest('tr').dataset.id", Value::Null).await;
        page.press(&Key::Enter).await;
        page.is_at(&format!("/leads/{}", lead.as_str().unwrap())).await;
        comes_back_to(page, &lead).await;

        // Items without a page open in a dialog.
        page.open("/settings?tab=statuses").await;
        page.see("[data-test=status-row]").await;
        page.press(&Key::Down).await;
        is_at(page, "statuses", 0).await;
        page.press(&Key::Enter).await;
        page.see("[data-test=status-dialog]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn back_restores_a_lists_position() {
    let server = stage::server().await;
    visit("rows_back", server.base(), async |page| {
        stage::enter(page).await;
        let opens = "[data-opens]";
        for (place, width, link) in [
            ("/leads", 1440, opens),
            ("/calls", 1440, opens),
            ("/calls", 1440, "a[href^='/leads/']"),
            ("/leads", 390, opens),
            ("/calls", 390, opens),
        ] {
            let size = json!({ "width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 800 });
            page.command("Emulation.setDeviceMetricsOverride", size).await;
            page.open(place).await;
            page.see(&format!("{ROW}:nth-child(30)")).await;
            page.see_gone(".skeleton").await;
            // Some calls have no lead.
            let lower = "const [row, link] = arguments;
                const rows = [...document.querySelectorAll(row)].slice(20);
                const found = rows.find(row => row.querySelector(link));
                found.scrollIntoView({ block: 'center' });
                return [found.dataset.id, found.querySelector(link).pathname, scrollY]";
            let before = page.run(lower, vec![json!(ROW), json!(link)]).await;
            let id = &before[0];
            assert!(before[2].as_f64().unwrap() > 300.0, "{place}: {before}");
            let row = format!("{ROW}[data-id='{}']", id.as_str().unwrap());
            // Lead names may have loaded since, which makes rows above taller.
            let press = "const link = document.querySelector(arguments[0]);
                const top = link.closest('[data-row]').getBoundingClientRect().top;
                link.click();
                return top";
            let top = page.run(press, format!("{row} {link}")).await.as_f64().unwrap();
            page.is_at(before[1].as_str().unwrap()).await;
            page.see("#main h1").await;
            comes_back_to(page, id).await;
            let now = async || {
                let top_now = "return document.querySelector(arguments[0])?.getBoundingClientRect().top";
                let now = page.run(top_now, row.as_str()).await.as_f64().unwrap_or_default();
                // The browser rounds the scroll position with each change of height above.
                (now - top).abs() < 5.0
            };
            page.until_equal(&format!("{place} at {width}: the row is where it was"), true, now).await;
        }
    })
    .await;
}

/// Goes back to the list, and waits until the row that was opened has the focus.
async fn comes_back_to(page: &Page, row: &Value) {
    page.see_gone("[data-row][data-id]:focus-within").await;
    page.run("history.back()", Value::Null).await;
    let script = "return document.activeElement.closest('[data-row]')?.dataset.id ?? null";
    page.until_equal("the row has the focus", row.clone(), async || page.run(script, Value::Null).await).await;
}

async fn count(page: &Page) -> i64 {
    page.run("return document.querySelectorAll(arguments[0]).length", ROW).await.as_i64().unwrap()
}

/// Waits until this row has the focus.
async fn is_at(page: &Page, list: &str, row: i64) {
    let script = "const row = document.activeElement.closest(arguments[0]);
        return [...document.querySelectorAll(arguments[0])].indexOf(row)";
    let read = async || page.run(script, ROW).await;
    page.until_equal(&format!("the focus is in row {row} of {list}"), json!(row), read).await;
}
