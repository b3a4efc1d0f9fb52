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
use super::visit_for;
use crate::harness::{Server, body};

const LIST: &str = "[data-test=lead-scroll]";
const RANGE: &str = "[data-test=range]";
const LEADS: u64 = 10_000;

/// Upper bound of rendered rows: a screen, two more in each direction, and chunks of 25 at both ends.
const MOST_DRAWN: u64 = 250;

/// Time limit for a test with this many leads.
const LONGEST: Duration = Duration::from_secs(400);

/// State of the list when scrolling has stopped and nothing is loading.
struct Sight {
    /// Height in pixels of the viewport without a lead.
    gap: f64,
    is_end: bool,
    /// Rendered leads by row number, counted from 1.
    drawn: BTreeMap<u64, i64>,
    /// Row at the top of the viewport, and its offset.
    top: u64,
    offset: f64,
}

/// Starts a server with only these leads, some in one campaign and some in three, so that row heights vary. Returns
/// their ids in list order.
async fn crowd() -> (Server, Vec<i64>) {
    let server = Server::start_at(SystemClock.now()).await;
    let admin = server.admin();
    let mut campaigns = Vec::new();
    for name in ["North", "South", "East"] {
        campaigns.push(admin.create("/api/campaigns", json!({ "name": name })).await);
    }
    let rows = (1..=LEADS).map(|number| format!("crowd-{number},Ann,Lead {number:05},+4930{number:07},Rolltown\n"));
    import(
        &server,
        "leads",
        &format!("original_identifier,first_name,last_name,phone,city\n{}", rows.collect::<String>()),
    )
    .await;
    let mut ids = Vec::new();
    for offset in (0..LEADS).step_by(1_000) {
        let filter = json!({ "_fields": ["id"], "limit": format!("1000;{offset}") });
        let found = admin.put("/api/leads/extended-data", body(filter)).await.expect(200);
        ids.extend(found["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()));
    }
    let inside = ids.iter().flat_map(|id| {
        let of = match id % 20 {
            7 => &campaigns[..],
            0 | 3 | 13 => &campaigns[..1],
            _ => &[],
        };
        of.iter().map(move |campaign| format!("{id},{campaign}\n"))
    });
    import(&server, "campaign-leads", &format!("lead_id,campaign_id\n{}", inside.collect::<String>())).await;
    (server, ids)
}

async fn import(server: &Server, kind: &str, csv: &str) {
    let admin = server.admin();
    let begun = admin.with_header("content-type", "text/csv").post(&format!("/api/imports/{kind}"), csv).await;
    let path = format!("/api/imports/{}", begun.expect(202)["id"]);
    let done = loop {
        match admin.get(&path).await.expect(200) {
            one if one["state"] == "running" => tokio::task::yield_now().await,
            one => break one,
        }
    };
    assert_eq!((&done["state"], &done["counts"]["rejected"]), (&json!("completed"), &json!(0)), "{done}");
}

async fn walk(name: &str, walk: impl AsyncFnOnce(&Page, &Server, &[i64])) {
    super::assert_panel_is_built();
    let (server, ids) = crowd().await;
    visit_for(LONGEST, name, server.base(), async |page| walk(page, &server, &ids).await).await;
}

/// Waits until scrolling has stopped and nothing is loading, and returns the state.
async fn look(page: &Page) -> Sight {
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
    let seen = page.run_async(script, Vec::new()).await;
    let pairs: Vec<(u64, i64)> = serde_json::from_value(seen["drawn"].clone()).unwrap();
    let count = pairs.len();
    let drawn: BTreeMap<_, _> = pairs.into_iter().collect();
    assert_eq!(drawn.len(), count, "a row is in the page twice");
    assert!(count as u64 <= MOST_DRAWN, "{count} rows are in the page");
    let (top, offset) = serde_json::from_value(seen["top"].clone()).unwrap();
    let sight =
        Sight { gap: seen["gap"].as_f64().unwrap(), is_end: seen["is_end"].as_bool().unwrap(), drawn, top, offset };
    assert!(sight.gap <= 2.0, "{} pixels of the view have no lead, at row {}", sight.gap, sight.top);
    sight
}

/// Scrolls the list with the mouse wheel.
async fn wheel(page: &Page, by: i32) {
    let script = "const list = document.querySelector(arguments[0]).getBoundingClientRect();
        return [list.left + list.width / 2, list.top + list.height / 2]";
    let at = page.run(script, LIST).await;
    let turn = json!({ "type": "mouseWheel", "x": at[0], "y": at[1], "deltaX": 0, "deltaY": by });
    page.command("Input.dispatchMouseEvent", turn).await;
}

/// Moves the list as the scrollbar does.
async fn drag_to(page: &Page, part: f64) {
    let script = "const list = document.querySelector(arguments[0]); list.scrollTop = list.scrollHeight * arguments[1]";
    page.run(script, json!([LIST, part])).await;
}

/// Waits until the URL has this row as the top row.
async fn rests_at(page: &Page, row: u64) {
    let read = async || page.place().await.split(['?', '&']).any(|part| part == format!("row={row}"));
    page.until_equal(&format!("the address has row {row}"), true, read).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_leads_scroll_without_gaps() {
    walk("lead_scroll", async |page, server, ids| {
        log_in(page, server, Role::Viewer, "/leads").await;
        page.shows("[data-test=total]", "10,000 leads").await;
        page.choose("[data-test=page-size]", "all").await;
        page.see(&format!("{LIST} tr[data-id]")).await;
        page.is_at("/leads?row=1").await;
        assert_eq!(page.run("return document.querySelector('.lead-table').ariaRowCount", Value::Null).await, "10001");
        page.run("document.querySelector(arguments[0]).parentElement.scrollIntoView()", LIST).await;

        let mut seen = BTreeMap::new();
        loop {
            let sight = look(page).await;
            let end = sight.is_end;
            for (row, id) in sight.drawn {
                assert_eq!(ids[row as usize - 1], id, "row {row} is of another lead");
                seen.insert(row, id);
            }
            if end {
                break;
            }
            wheel(page, 2_000).await;
        }
        assert_eq!(seen.into_values().collect::<Vec<_>>(), ids, "each lead once, in the order of the list");
        let range = page.text(RANGE).await;
        assert!(range.ends_with("–10,000 of 10,000"), "{range}");

        // After a reload in the middle of the list, the heights of the rows above are estimates. Visible rows keep
        // their position when the estimates are replaced.
        page.reload().await;
        page.see(&format!("{LIST} tr[data-id]")).await;
        look(page).await;
        drag_to(page, 0.5).await;
        let mut before = look(page).await;
        assert!((4_000..6_000).contains(&before.top), "{}", before.top);
        for _ in 0..30 {
            let script = "const list = document.querySelector(arguments[0]);
                list.scrollTop -= 300;
                const row = list.querySelector(`tr[aria-rowindex='${arguments[1] + 1}']`);
                window.watched = row";
            page.run(script, json!([LIST, before.top])).await;
            let after = look(page).await;
            let place = "return window.watched.getBoundingClientRect().top
                - document.querySelector(arguments[0] + ' thead th').getBoundingClientRect().bottom";
            let place = page.run(place, LIST).await.as_f64().unwrap();
            assert!((place - before.offset - 300.0).abs() <= 1.5, "row {} jumped: {place}", before.top);
            before = after;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn back_restores_the_scroll_position() {
    walk("lead_scroll_place", async |page, server, ids| {
        log_in(page, server, Role::Manager, "/leads?row=6000").await;
        page.see(&format!("{LIST} tr[data-id]")).await;
        assert_eq!(look(page).await.top, 6_000);
        page.see(&format!("[data-id='{}']", ids[5_999])).await;
        wheel(page, 700).await;
        let here = look(page).await.top;
        assert!(here > 6_005, "{here}");
        rests_at(page, here).await;

        // Open a lead and go back.
        page.click(&format!("[data-id='{}'] .row-link", ids[here as usize + 2])).await;
        page.is_at(&format!("/leads/{}", ids[here as usize + 2])).await;
        page.see("[data-test=edit], h1").await;
        page.run("history.back()", Value::Null).await;
        page.see(&format!("{LIST} tr[data-id]")).await;
        assert_eq!(look(page).await.top, here);
        page.reload().await;
        page.see(&format!("{LIST} tr[data-id]")).await;
        assert_eq!(look(page).await.top, here);

        // Shift-click selects a range across chunks.
        let first = ids[here as usize + 1];
        page.click(&format!("[data-id='{first}'] [data-test=select-lead]")).await;
        wheel(page, 3_000).await;
        let last = look(page).await.top + 2;
        let press = "document.querySelector(arguments[0])
            .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: true }))";
        page.run(press, format!("[data-id='{}'] [data-test=select-lead]", ids[last as usize - 1])).await;
        page.shows("[data-test=selected]", &format!("{} leads selected", last - here - 1)).await;
        page.click("[data-test=select-none]").await;

        // The arrow keys move row by row across chunks.
        page.run(
            "document.querySelector(arguments[0]).focus()",
            format!("[data-id='{}'] .row-link", ids[last as usize]),
        )
        .await;
        for _ in 0..7 {
            page.press(&Key::Down.to_string().repeat(10)).await;
            look(page).await;
        }
        let focused = async || page.run("return document.activeElement.closest('tr')?.dataset.id", Value::Null).await;
        page.until_equal("70 rows below", json!(ids[last as usize + 70].to_string()), focused).await;
        page.press(&Key::Up.to_string().repeat(3)).await;
        page.until_equal("three back", json!(ids[last as usize + 67].to_string()), focused).await;
        look(page).await;

        // Home and End move to rows that aren't rendered yet.
        page.press(&Key::End).await;
        page.until_equal("the last row", json!(ids[ids.len() - 1].to_string()), focused).await;
        page.press(&Key::Home).await;
        page.until_equal("the first row", json!(ids[0].to_string()), focused).await;
        look(page).await;

        // Rows that fail to load show an error, and load on retry.
        page.command("Network.enable", json!({})).await;
        page.command("Network.setBlockedURLs", json!({ "urls": ["*/extended-data*"] })).await;
        page.click("[aria-label='Last row']").await;
        page.see("[data-test=rows-missing]").await;
        page.command("Network.setBlockedURLs", json!({ "urls": [] })).await;
        page.click("[data-test=rows-missing] button").await;
        page.see_gone("[data-test=rows-missing]").await;
        page.click("[aria-label='Last row']").await;
        page.see(&format!("[data-id='{}']", ids[ids.len() - 1])).await;
        let end = look(page).await;
        assert!(end.is_end);

        // Loaded rows stay visible during an outage, and update afterwards.
        page.network().await;
        page.command("Network.setBlockedURLs", json!({ "urls": ["*/extended-data*"] })).await;
        let last = ids[ids.len() - 1];
        let change = json!({ "first_name": "Renamed" });
        server.admin().patch(&format!("/api/leads/{last}"), body(change)).await.expect(200);
        page.click("[data-test=apply]").await;
        let failed = AtomicUsize::new(0);
        let is_asked_again = async || {
            let network = page.network().await;
            let more = network.iter().filter(|(method, _)| method == "Network.loadingFailed").count();
            // Each visible window, three at most, is requested three times per attempt.
            (failed.fetch_add(more, Ordering::Relaxed) + more > 9).then_some(())
        };
        page.until("it is asked for again and again", is_asked_again).await;
        assert!(!page.sees("[data-test=rows-missing]").await);
        let name = format!("[data-id='{last}'] .row-link");
        page.shows(&name, &format!("Ann Lead {LEADS}")).await;
        page.command("Network.setBlockedURLs", json!({ "urls": [] })).await;
        page.shows(&name, &format!("Renamed Lead {LEADS}")).await;
        assert_eq!(look(page).await.top, end.top);

        // A new order starts at the first lead. Switching to pages starts with the top row.
        page.click("th:first-child .sort-button").await;
        page.see("th[aria-sort=ascending]:first-child").await;
        assert_eq!(look(page).await.top, 1);
        drag_to(page, 0.3).await;
        let top = look(page).await.top;
        page.choose("[data-test=page-size]", "100").await;
        let first = (top - 1) - (top - 1) % 100;
        page.shows(RANGE, &format!("{}–{} of 10,000", grouped(first + 1), grouped(first + 100))).await;
        page.see_gone(LIST).await;
    })
    .await;
}

/// Formats a number as `1,234`.
fn grouped(number: u64) -> String {
    if number < 1_000 { number.to_string() } else { format!("{},{:03}", number / 1_000, number % 1_000) }
}
