//! Keyboard use of lists: the same keys in each of them.

use fantoccini::key::Key;
use serde_json::{Value, json};

use super::bulk::expect_toast;
use super::page::Page;
use super::{demo_server, run_in_browser};

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

const ROW_SELECTOR: &str = "[data-row]";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_move_through_the_rows_of_every_list() {
    let server = demo_server::start_server().await;
    run_in_browser("keys_move_through_the_rows_of_every_list", server.base(), async |page| {
        demo_server::log_in(page).await;
        let calls = server.admin().get("/api/calls?limit=1;0").await.expect(200);
        let lead_path = format!("/leads/{}", calls["items"][0]["lead_id"]);
        for path in LISTS.into_iter().chain([lead_path.as_str()]) {
            page.open(path).await;
            page.wait_for(ROW_SELECTOR).await;
            page.wait_until_gone(".skeleton").await;
            let last_row = row_count(page).await - 1;
            // Without a focused row, the first visible row gets the focus.
            let reset_focus_script = "document.activeElement.blur(); document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })";
            page.run_script(reset_focus_script, ROW_SELECTOR).await;
            page.type_keys(&Key::Down).await;
            expect_focused_row(page, path, 0).await;
            page.type_keys(&Key::Down).await;
            expect_focused_row(page, path, last_row.min(1)).await;
            page.type_keys(&Key::End).await;
            expect_focused_row(page, path, last_row).await;
            page.type_keys(&Key::Down).await;
            page.type_keys(&Key::Up).await;
            expect_focused_row(page, path, (last_row - 1).max(0)).await;
            page.type_keys(&Key::Home).await;
            expect_focused_row(page, path, 0).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn click_on_a_row_opens_it_and_headers_stay_visible() {
    let server = demo_server::start_server().await;
    run_in_browser("click_on_a_row_opens_it_and_headers_stay_visible", server.base(), async |page| {
        demo_server::log_in(page).await;
        page.open("/calls").await;
        page.wait_for("[data-test=call-row]").await;
        let header_visible_script =
            "scrollTo(0, 900); const head = document.querySelector('thead th').getBoundingClientRect();
            const seen = document.elementFromPoint(head.x + 5, head.y + head.height / 2);
            return [scrollY > 500, seen?.closest('thead') !== null]";
        let header_state = async || page.run_script(header_visible_script, Value::Null).await;
        page.wait_until_equal("the column headers stay below the page header", json!([true, true]), header_state).await;
        let call = page.run_script("return document.querySelectorAll(arguments[0])[20].dataset.id", ROW_SELECTOR).await;
        let row = format!("[data-row][data-id='{}']", call.as_str().unwrap());
        // The outcome isn't a link.
        page.click(&format!("{row} .badge")).await;
        page.expect_location(&format!("/calls/{}", call.as_str().unwrap())).await;
        go_back_to_row(page, &call).await;
        // Selected text can be copied, so it doesn't open the row.
        let select_text_script =
            "const cell = document.querySelector(arguments[0] + ' .badge'); getSelection().selectAllChildren(cell);
            cell.click(); return location.pathname";
        assert_eq!(page.run_script(select_text_script, row.as_str()).await, "/calls");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn enter_opens_a_row_and_x_or_space_selects_it() {
    let server = demo_server::start_server().await;
    run_in_browser("enter_opens_a_row_and_x_or_space_selects_it", server.base(), async |page| {
        demo_server::log_in(page).await;
        page.open("/calls").await;
        page.wait_for("[data-test=call-row]").await;
        let expect_selected = async |count: i64| {
            let script = "return document.querySelectorAll('[data-row][aria-selected=true]').length";
            let selected_count = async || page.run_script(script, Value::Null).await;
            page.wait_until_equal("the number of selected rows matches", json!(count), selected_count).await;
        };
        page.type_keys(&Key::Down).await;
        expect_focused_row(page, "/calls", 0).await;
        page.type_keys("x").await;
        expect_selected(1).await;
        page.type_keys(&Key::Down.to_string().repeat(3)).await;
        page.type_keys(&(Key::Shift + "x")).await;
        expect_selected(4).await;
        page.type_keys(" ").await;
        expect_selected(3).await;
        page.type_keys(&Key::Escape).await;
        expect_selected(0).await;
        let call = page.run_script("return document.activeElement.closest('tr').dataset.id", Value::Null).await;
        page.type_keys(&Key::Enter).await;
        page.expect_location(&format!("/calls/{}", call.as_str().unwrap())).await;
        go_back_to_row(page, &call).await;

        // Sorting keeps the selection.
        page.type_keys("x").await;
        expect_selected(1).await;
        page.click("thead .sort-button").await;
        page.wait_until("the URL contains the order", async || page.location().await.contains("order=").then_some(()))
            .await;
        page.wait_for(".table-wrap[aria-busy=false]").await;
        expect_selected(1).await;

        page.click("[data-test=call-row] [data-test=select-call]:not(:checked)").await;
        expect_selected(2).await;
        page.select_option("[aria-label=Outcome]", "answered").await;
        expect_toast(page, "The selection was cleared because the list changed.").await;
        expect_selected(0).await;

        // From a checkbox, the arrow keys move to other checkboxes, and Enter opens the row.
        page.open("/leads").await;
        page.wait_for("[data-test=lead-row]").await;
        page.run_script("document.querySelector(arguments[0]).focus()", "[data-row] .checkbox").await;
        page.type_keys(&Key::Down).await;
        page.type_keys(" ").await;
        page.expect_text("[data-test=selected]", "1 lead selected").await;
        let lead = page.run_script("return document.activeElement.closest('tr').dataset.id", Value::Null).await;
        page.type_keys(&Key::Enter).await;
        page.expect_location(&format!("/leads/{}", lead.as_str().unwrap())).await;
        go_back_to_row(page, &lead).await;

        // Items without a page open in a dialog.
        page.open("/settings?tab=statuses").await;
        page.wait_for("[data-test=status-row]").await;
        page.type_keys(&Key::Down).await;
        expect_focused_row(page, "statuses", 0).await;
        page.type_keys(&Key::Enter).await;
        page.wait_for("[data-test=status-dialog]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn back_restores_a_lists_position() {
    let server = demo_server::start_server().await;
    run_in_browser("back_restores_a_lists_position", server.base(), async |page| {
        demo_server::log_in(page).await;
        let row_link = "[data-row-link]";
        for (path, width, link) in [
            ("/leads", 1440, row_link),
            ("/calls", 1440, row_link),
            ("/calls", 1440, "a[href^='/leads/']"),
            ("/leads", 390, row_link),
            ("/calls", 390, row_link),
        ] {
            let size = json!({ "width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 800 });
            page.devtools_command("Emulation.setDeviceMetricsOverride", size).await;
            page.open(path).await;
            page.wait_for(&format!("{ROW_SELECTOR}:nth-child(30)")).await;
            page.wait_until_gone(".skeleton").await;
            // Some calls have no lead.
            let scroll_script = "const [row, link] = arguments;
                const rows = [...document.querySelectorAll(row)].slice(20);
                const found = rows.find(row => row.querySelector(link));
                found.scrollIntoView({ block: 'center' });
                return [found.dataset.id, found.querySelector(link).pathname, scrollY]";
            let state = page.run_script(scroll_script, vec![json!(ROW_SELECTOR), json!(link)]).await;
            let id = &state[0];
            assert!(state[2].as_f64().unwrap() > 300.0, "{path}: {state}");
            let row = format!("{ROW_SELECTOR}[data-id='{}']", id.as_str().unwrap());
            // Lead names may have loaded since, which makes rows above taller.
            let click_script = "const link = document.querySelector(arguments[0]);
                const top = link.closest('[data-row]').getBoundingClientRect().top;
                link.click();
                return top";
            let row_top = page.run_script(click_script, format!("{row} {link}")).await.as_f64().unwrap();
            page.expect_location(state[1].as_str().unwrap()).await;
            page.wait_for("#main h1").await;
            go_back_to_row(page, id).await;
            let is_in_place = async || {
                let top_script = "return document.querySelector(arguments[0])?.getBoundingClientRect().top";
                let top = page.run_script(top_script, row.as_str()).await.as_f64().unwrap_or_default();
                // The browser rounds the scroll position at each change of height above the row.
                (top - row_top).abs() < 5.0
            };
            page.wait_until_equal(&format!("{path} at {width}: the row is where it was"), true, is_in_place).await;
        }
    })
    .await;
}

/// Goes back to the list, and waits until the row that was opened has the focus.
async fn go_back_to_row(page: &Page, row: &Value) {
    page.wait_until_gone("[data-row][data-id]:focus-within").await;
    page.run_script("history.back()", Value::Null).await;
    let script = "return document.activeElement.closest('[data-row]')?.dataset.id ?? null";
    page.wait_until_equal("the row has the focus", row.clone(), async || page.run_script(script, Value::Null).await)
        .await;
}

async fn row_count(page: &Page) -> i64 {
    page.run_script("return document.querySelectorAll(arguments[0]).length", ROW_SELECTOR).await.as_i64().unwrap()
}

/// Waits until this row has the focus.
async fn expect_focused_row(page: &Page, list: &str, row: i64) {
    let script = "const row = document.activeElement.closest(arguments[0]);
        return [...document.querySelectorAll(arguments[0])].indexOf(row)";
    let focused_row = async || page.run_script(script, ROW_SELECTOR).await;
    page.wait_until_equal(&format!("the focus is in row {row} of {list}"), json!(row), focused_row).await;
}
