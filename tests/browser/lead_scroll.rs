//! Virtual scrolling through 10,000 leads, of which only some are rendered.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use leadscribe_server::clock::{Clock, SystemClock};
use serde_json::{Value, json};

use super::login::log_in;
use super::page::Page;
use super::run_in_browser_within;
use crate::harness::{Server, body};

const LIST_SELECTOR: &str = "[data-test=lead-scroll]";
const RANGE_SELECTOR: &str = "[data-test=range]";
const LEAD_COUNT: u64 = 10_000;

/// Upper bound of rendered rows: a screen, two more in each direction, and chunks of 25 at both ends.
const MAX_RENDERED_ROWS: u64 = 250;

/// Time limit for a test with this many leads.
const TEST_TIMEOUT: Duration = Duration::from_secs(400);

/// State of the list when scrolling has stopped and nothing is loading.
struct ListState {
    /// Height in pixels of the viewport without a lead.
    gap_pixels: f64,
    is_end: bool,
    /// Rendered leads by row number, counted from 1.
    rendered: BTreeMap<u64, i64>,
    /// Row at the top of the viewport, and its offset.
    top_row: u64,
    offset: f64,
}

/// Starts a server with only these leads, some in one campaign and some in three, so that row heights vary. Returns
/// their ids in list order.
async fn server_with_leads() -> (Server, Vec<i64>) {
    let server = Server::start_at(SystemClock.now()).await;
    let admin = server.admin();
    let mut campaigns = Vec::new();
    for name in ["North", "South", "East"] {
        campaigns.push(admin.create("/api/campaigns", json!({ "name": name })).await);
    }
    let rows =
        (1..=LEAD_COUNT).map(|number| format!("crowd-{number},Ann,Lead {number:05},+4930{number:07},Rolltown\n"));
    import(
        &server,
        "leads",
        &format!("original_identifier,first_name,last_name,phone,city\n{}", rows.collect::<String>()),
    )
    .await;
    let mut ids = Vec::new();
    for offset in (0..LEAD_COUNT).step_by(1_000) {
        let filter = json!({ "_fields": ["id"], "limit": format!("1000;{offset}") });
        let page = admin.put("/api/leads/extended-data", body(filter)).await.expect(200);
        ids.extend(page["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()));
    }
    let campaign_lead_rows = ids.iter().flat_map(|id| {
        let lead_campaigns = match id % 20 {
            7 => &campaigns[..],
            0 | 3 | 13 => &campaigns[..1],
            _ => &[],
        };
        lead_campaigns.iter().map(move |campaign| format!("{id},{campaign}\n"))
    });
    import(&server, "campaign-leads", &format!("lead_id,campaign_id\n{}", campaign_lead_rows.collect::<String>()))
        .await;
    (server, ids)
}

async fn import(server: &Server, kind: &str, csv: &str) {
    let admin = server.admin();
    let response = admin.with_header("content-type", "text/csv").post(&format!("/api/imports/{kind}"), csv).await;
    let path = format!("/api/imports/{}", response.expect(202)["id"]);
    let finished_import = loop {
        match admin.get(&path).await.expect(200) {
            state if state["state"] == "running" => tokio::task::yield_now().await,
            state => break state,
        }
    };
    assert_eq!(
        (&finished_import["state"], &finished_import["counts"]["rejected"]),
        (&json!("completed"), &json!(0)),
        "{finished_import}"
    );
}

async fn journey(name: &str, journey: impl AsyncFnOnce(&Page, &Server, &[i64])) {
    super::assert_panel_is_built();
    let (server, ids) = server_with_leads().await;
    run_in_browser_within(TEST_TIMEOUT, name, server.base(), async |page| journey(page, &server, &ids).await).await;
}

/// Waits until scrolling has stopped and nothing is loading, and returns the state.
async fn settled_state(page: &Page) -> ListState {
    let script = "const done = arguments[arguments.length - 1];
        let before = -1, still = 0;
        const wait = () => {
            const list = document.querySelector('[data-test=lead-scroll]');
            const is_still = list?.scrollTop === before && list?.getAttribute('aria-busy') === 'false';
            still = is_still ? still + 1 : 0;
            before = list?.scrollTop;
            if (still < 4) return requestAnimationFrame(wait);
            const view = list.getBoundingClientRect();
            const begin = list.querySelector('thead th').getBoundingClientRect().bottom;
            const end = view.top + list.clientHeight;
            let reached = begin, gap = 0, top = null;
            const drawn = [...list.querySelectorAll('tr[data-id]')].map(row => {
                const place = row.getBoundingClientRect(), number = +row.getAttribute('aria-rowindex') - 1;
                if (place.bottom > begin + 1 && place.top < end - 1) {
                    gap += Math.max(0, place.top - reached);
                    reached = place.bottom;
                    top ??= [number, place.top - begin];
                }
                return [number, +row.dataset.id];
            });
            gap += Math.max(0, end - reached);
            done({ gap, drawn, top, is_end: list.scrollTop + list.clientHeight >= list.scrollHeight - 1 });
        };
        wait()";
    let result = page.run_async_script(script, Vec::new()).await;
    let pairs: Vec<(u64, i64)> = serde_json::from_value(result["drawn"].clone()).unwrap();
    let count = pairs.len();
    let rendered: BTreeMap<_, _> = pairs.into_iter().collect();
    assert_eq!(rendered.len(), count, "a row is rendered twice");
    assert!(count as u64 <= MAX_RENDERED_ROWS, "{count} rows are rendered");
    let (top_row, offset) = serde_json::from_value(result["top"].clone()).unwrap();
    let state = ListState {
        gap_pixels: result["gap"].as_f64().unwrap(),
        is_end: result["is_end"].as_bool().unwrap(),
        rendered,
        top_row,
        offset,
    };
    assert!(state.gap_pixels <= 2.0, "{} px of the viewport are empty at row {}", state.gap_pixels, state.top_row);
    state
}

/// Scrolls the list with the mouse wheel.
async fn scroll_by(page: &Page, delta: i32) {
    let script = "const list = document.querySelector(arguments[0]).getBoundingClientRect();
        return [list.left + list.width / 2, list.top + list.height / 2]";
    let center = page.run_script(script, LIST_SELECTOR).await;
    let event = json!({ "type": "mouseWheel", "x": center[0], "y": center[1], "deltaX": 0, "deltaY": delta });
    page.devtools_command("Input.dispatchMouseEvent", event).await;
}

/// Moves the list as the scrollbar does.
async fn scroll_to_fraction(page: &Page, fraction: f64) {
    let script = "const list = document.querySelector(arguments[0]); list.scrollTop = list.scrollHeight * arguments[1]";
    page.run_script(script, json!([LIST_SELECTOR, fraction])).await;
}

/// Waits until the URL has this row as the top row.
async fn expect_top_row(page: &Page, row: u64) {
    let has_row = async || page.location().await.split(['?', '&']).any(|part| part == format!("row={row}"));
    page.wait_until_equal(&format!("the address has row {row}"), true, has_row).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_leads_scroll_without_gaps() {
    journey("lead_scroll", async |page, server, ids| {
        log_in(page, server, Role::Viewer, "/leads").await;
        page.expect_text("[data-test=total]", "10,000 leads").await;
        page.select_option("[data-test=page-size]", "all").await;
        page.wait_for(&format!("{LIST_SELECTOR} tr[data-id]")).await;
        page.expect_location("/leads?row=1").await;
        assert_eq!(
            page.run_script("return document.querySelector('.lead-table').ariaRowCount", Value::Null).await,
            "10001"
        );
        page.run_script("document.querySelector(arguments[0]).parentElement.scrollIntoView()", LIST_SELECTOR).await;

        let mut seen_rows = BTreeMap::new();
        loop {
            let state = settled_state(page).await;
            let is_end = state.is_end;
            for (row, id) in state.rendered {
                assert_eq!(ids[row as usize - 1], id, "row {row} shows another lead");
                seen_rows.insert(row, id);
            }
            if is_end {
                break;
            }
            scroll_by(page, 2_000).await;
        }
        assert_eq!(seen_rows.into_values().collect::<Vec<_>>(), ids, "each lead once, in the order of the list");
        let range = page.text(RANGE_SELECTOR).await;
        assert!(range.ends_with("–10,000 of 10,000"), "{range}");

        // After a reload in the middle of the list, the heights of the rows above are estimates. Visible rows keep
        // their position when the estimates are replaced.
        page.reload().await;
        page.wait_for(&format!("{LIST_SELECTOR} tr[data-id]")).await;
        settled_state(page).await;
        scroll_to_fraction(page, 0.5).await;
        let mut previous = settled_state(page).await;
        assert!((4_000..6_000).contains(&previous.top_row), "{}", previous.top_row);
        for _ in 0..30 {
            let script = "const list = document.querySelector(arguments[0]);
                list.scrollTop -= 300;
                const row = list.querySelector(`tr[aria-rowindex='${arguments[1] + 1}']`);
                window.watched = row";
            page.run_script(script, json!([LIST_SELECTOR, previous.top_row])).await;
            let current = settled_state(page).await;
            let offset = "return window.watched.getBoundingClientRect().top
                - document.querySelector(arguments[0] + ' thead th').getBoundingClientRect().bottom";
            let offset = page.run_script(offset, LIST_SELECTOR).await.as_f64().unwrap();
            assert!((offset - previous.offset - 300.0).abs() <= 1.5, "row {} jumped: {offset}", previous.top_row);
            previous = current;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn back_restores_the_scroll_position() {
    journey("lead_scroll_place", async |page, server, ids| {
        log_in(page, server, Role::Manager, "/leads?row=6000").await;
        page.wait_for(&format!("{LIST_SELECTOR} tr[data-id]")).await;
        assert_eq!(settled_state(page).await.top_row, 6_000);
        page.wait_for(&format!("[data-id='{}']", ids[5_999])).await;
        scroll_by(page, 700).await;
        let top_row = settled_state(page).await.top_row;
        assert!(top_row > 6_005, "{top_row}");
        expect_top_row(page, top_row).await;

        // Open a lead and go back.
        page.click(&format!("[data-id='{}'] .row-link", ids[top_row as usize + 2])).await;
        page.expect_location(&format!("/leads/{}", ids[top_row as usize + 2])).await;
        page.wait_for("[data-test=edit], h1").await;
        page.run_script("history.back()", Value::Null).await;
        page.wait_for(&format!("{LIST_SELECTOR} tr[data-id]")).await;
        assert_eq!(settled_state(page).await.top_row, top_row);
        page.reload().await;
        page.wait_for(&format!("{LIST_SELECTOR} tr[data-id]")).await;
        assert_eq!(settled_state(page).await.top_row, top_row);

        // Shift-click selects a range across chunks.
        let first = ids[top_row as usize + 1];
        page.click(&format!("[data-id='{first}'] [data-test=select-lead]")).await;
        scroll_by(page, 3_000).await;
        let last = settled_state(page).await.top_row + 2;
        let shift_click_script = "document.querySelector(arguments[0])
            .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: true }))";
        page.run_script(shift_click_script, format!("[data-id='{}'] [data-test=select-lead]", ids[last as usize - 1]))
            .await;
        page.expect_text("[data-test=selected]", &format!("{} leads selected", last - top_row - 1)).await;
        page.click("[data-test=select-none]").await;

        // The arrow keys move row by row across chunks.
        page.run_script(
            "document.querySelector(arguments[0]).focus()",
            format!("[data-id='{}'] .row-link", ids[last as usize]),
        )
        .await;
        for _ in 0..7 {
            page.type_keys(&Key::Down.to_string().repeat(10)).await;
            settled_state(page).await;
        }
        let focused_row =
            async || page.run_script("return document.activeElement.closest('tr')?.dataset.id", Value::Null).await;
        page.wait_until_equal("70 rows below", json!(ids[last as usize + 70].to_string()), focused_row).await;
        page.type_keys(&Key::Up.to_string().repeat(3)).await;
        page.wait_until_equal("three back", json!(ids[last as usize + 67].to_string()), focused_row).await;
        settled_state(page).await;

        // Home and End move to rows that aren't rendered yet.
        page.type_keys(&Key::End).await;
        page.wait_until_equal("the last row", json!(ids[ids.len() - 1].to_string()), focused_row).await;
        page.type_keys(&Key::Home).await;
        page.wait_until_equal("the first row", json!(ids[0].to_string()), focused_row).await;
        settled_state(page).await;

        // Rows that fail to load show an error, and load on retry.
        page.devtools_command("Network.enable", json!({})).await;
        page.devtools_command("Network.setBlockedURLs", json!({ "urls": ["*/extended-data*"] })).await;
        page.click("[aria-label='Last row']").await;
        page.wait_for("[data-test=rows-missing]").await;
        page.devtools_command("Network.setBlockedURLs", json!({ "urls": [] })).await;
        page.click("[data-test=rows-missing] button").await;
        page.wait_until_gone("[data-test=rows-missing]").await;
        page.click("[aria-label='Last row']").await;
        page.wait_for(&format!("[data-id='{}']", ids[ids.len() - 1])).await;
        let end_state = settled_state(page).await;
        assert!(end_state.is_end);

        // Loaded rows stay visible during an outage, and update afterwards.
        page.take_network_events().await;
        page.devtools_command("Network.setBlockedURLs", json!({ "urls": ["*/extended-data*"] })).await;
        let last = ids[ids.len() - 1];
        let change = json!({ "first_name": "Renamed" });
        server.admin().patch(&format!("/api/leads/{last}"), body(change)).await.expect(200);
        page.click("[data-test=apply]").await;
        let failed_requests = AtomicUsize::new(0);
        let was_retried = async || {
            let network = page.take_network_events().await;
            let new_failures = network.iter().filter(|(method, _)| method == "Network.loadingFailed").count();
            // Each visible window, three at most, is requested three times per attempt.
            (failed_requests.fetch_add(new_failures, Ordering::Relaxed) + new_failures > 9).then_some(())
        };
        page.wait_until("failed requests are retried", was_retried).await;
        assert!(!page.is_visible("[data-test=rows-missing]").await);
        let name = format!("[data-id='{last}'] .row-link");
        page.expect_text(&name, &format!("Ann Lead {LEAD_COUNT}")).await;
        page.devtools_command("Network.setBlockedURLs", json!({ "urls": [] })).await;
        page.expect_text(&name, &format!("Renamed Lead {LEAD_COUNT}")).await;
        assert_eq!(settled_state(page).await.top_row, end_state.top_row);

        // A new order starts at the first lead. Switching to pages starts with the top row.
        page.click("th:first-child .sort-button").await;
        page.wait_for("th[aria-sort=ascending]:first-child").await;
        assert_eq!(settled_state(page).await.top_row, 1);
        scroll_to_fraction(page, 0.3).await;
        let top = settled_state(page).await.top_row;
        page.select_option("[data-test=page-size]", "100").await;
        let first = (top - 1) - (top - 1) % 100;
        page.expect_text(
            RANGE_SELECTOR,
            &format!("{}–{} of 10,000", format_grouped(first + 1), format_grouped(first + 100)),
        )
        .await;
        page.wait_until_gone(LIST_SELECTOR).await;
    })
    .await;
}

/// Formats a number as `1,234`.
fn format_grouped(number: u64) -> String {
    if number < 1_000 { number.to_string() } else { format!("{},{:03}", number / 1_000, number % 1_000) }
}
