//! Resizable columns of the lead list, and very long names.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;

/// Returns the selector of a column's resize handle.
fn edge(column: &str) -> String {
    format!("[data-column={column}] [data-test=column-width]")
}

/// Returns the width of a column.
async fn width(page: &Page, column: &str) -> f64 {
    let script = "return document.querySelector(`[data-column=${arguments[0]}]`).getBoundingClientRect().width";
    page.run(script, column).await.as_f64().unwrap().round()
}

async fn until_wide(page: &Page, column: &str, expected: f64) {
    page.until_equal(&format!("{column} is {expected} wide"), expected, async || width(page, column).await).await;
}

/// Waits until the columns exactly fill the width of the table.
async fn until_filled(page: &Page) {
    let script = "const table = document.querySelector('.table-wrap');
        const last = document.querySelector('.lead-table th:last-child').getBoundingClientRect();
        return [table.scrollWidth - table.clientWidth, Math.round(table.getBoundingClientRect().right - last.right)]";
    page.until_equal("the columns share the room", json!([0, 0]), async || page.run(script, Value::Null).await).await;
}

/// Returns the middle of a column's resize handle.
async fn grip(page: &Page, column: &str) -> (f64, f64) {
    let script = "const edge = document.querySelector(arguments[0]).getBoundingClientRect();
        return [edge.left + edge.width / 2, edge.top + edge.height / 2]";
    serde_json::from_value(page.run(script, edge(column)).await).unwrap()
}

/// Drags a column's resize handle in steps.
async fn drag(page: &Page, column: &str, by: f64) {
    let (x, y) = grip(page, column).await;
    let mouse = async |kind: &str, x: f64, buttons: u8| {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
        page.command("Input.dispatchMouseEvent", event).await;
    };
    mouse("mousePressed", x, 1).await;
    for step in [0.3, 0.8, 1.0] {
        mouse("mouseMoved", x + by * step, 1).await;
    }
    mouse("mouseReleased", x + by, 0).await;
}

/// Drags it by touch.
async fn swipe(page: &Page, column: &str, by: f64) {
    let (x, y) = grip(page, column).await;
    for (kind, points) in [
        ("touchStart", json!([{ "x": x, "y": y }])),
        ("touchMove", json!([{ "x": x + by / 2.0, "y": y }])),
        ("touchMove", json!([{ "x": x + by, "y": y }])),
        ("touchEnd", json!([])),
    ] {
        page.command("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points })).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn columns_can_be_resized() {
    journey("lead_widths", async |page, server| {
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        page.run("document.querySelector('.table-card').scrollIntoView()", Value::Null).await;
        let mut number = width(page, "number").await;
        drag(page, "number", 90.0).await;
        number += 90.0;
        until_wide(page, "number", number).await;
        swipe(page, "number", -50.0).await;
        number -= 50.0;
        until_wide(page, "number", number).await;

        // The other columns share the remaining width at any window size.
        for width in [1800, 1300] {
            let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
            page.command("Emulation.setDeviceMetricsOverride", size).await;
            until_filled(page).await;
            until_wide(page, "number", number).await;
        }
        page.command("Emulation.clearDeviceMetricsOverride", json!({})).await;
        until_filled(page).await;

        // Keys change the width within the bounds.
        let read = async || {
            let script = "const edge = document.activeElement;
                return ['role', 'aria-orientation', 'aria-label', 'aria-valuenow', 'aria-valuemin', 'aria-valuemax']
                    .map(name => edge.getAttribute(name))";
            page.run(script, Value::Null).await
        };
        page.run("document.querySelector(arguments[0]).focus()", edge("place")).await;
        let says = |now: f64| json!(["separator", "vertical", "Width of Location", now.to_string(), "64", "800"]);
        let mut place = width(page, "place").await;
        page.until_equal("the edge is named", says(place), read).await;
        page.press(&Key::Right).await;
        place += 16.0;
        page.until_equal("wider by a step", says(place), read).await;
        page.press(&(Key::Shift + &Key::Left)).await;
        place = (place - 64.0).max(64.0);
        page.until_equal("narrower by four", says(place), read).await;
        until_wide(page, "place", place).await;
        drag(page, "place", -600.0).await;
        until_wide(page, "place", 64.0).await;

        // Text that doesn't fit is truncated, with a tooltip.
        let cut = "const cell = document.querySelector('.lead-table td:nth-child(3)');
            return [getComputedStyle(cell).textOverflow, cell.scrollWidth > cell.clientWidth, cell.title === cell.innerText]";
        assert_eq!(page.run(cut, Value::Null).await, json!(["ellipsis", true, true]));
        page.run("document.querySelector(arguments[0]).focus()", edge("place")).await;
        page.press(&Key::Home).await;
        let fits = "return [...document.querySelectorAll('.lead-table td:nth-child(3)')].every(
            cell => cell.scrollWidth <= cell.clientWidth)";
        page.until_equal("the column is as its content wants", json!(true), async || page.run(fits, Value::Null).await)
            .await;
        place = width(page, "place").await;
        assert!(place > 64.0);

        // A table wider than the screen scrolls, and the lead column stays in place.
        drag(page, "campaigns", 700.0).await;
        until_wide(page, "campaigns", 800.0).await;
        let all = [("number", number), ("place", place), ("campaigns", 800.0)];
        let until_all_wide = async || {
            for (column, expected) in all {
                until_wide(page, column, expected).await;
            }
        };
        until_all_wide().await;
        let beside = "const table = document.querySelector('.table-wrap');
            const lead = () => document.querySelector('td.lead-cell').getBoundingClientRect().left;
            const before = lead();
            table.scrollLeft = 40;
            return [table.scrollLeft, lead() - before]";
        assert_eq!(page.run(beside, Value::Null).await, json!([40, 0]));

        // The URL contains the widths, so a link shows them in any browser.
        let each = all.map(|(column, width)| format!("{column}%3A{width}%2C")).concat();
        let link = format!("/leads?columns={each}global_updated_at");
        page.is_at(&link).await;
        page.run("localStorage.clear()", Value::Null).await;
        page.open(&link).await;
        page.see("[data-test=lead-row]").await;
        until_all_wide().await;

        // A saved view contains the widths, and resizing marks it as changed.
        page.click("[data-test=views] summary").await;
        page.click("[data-test=view-save-as]").await;
        page.fill("[data-test=new-name]", "Wide").await;
        page.click("[data-test=create]").await;
        page.shows("[data-test=view-name]", "Wide").await;
        page.is_at("/leads?view=1").await;
        page.run("document.querySelector('.table-card').scrollIntoView()", Value::Null).await;
        drag(page, "number", -40.0).await;
        page.see("[data-test=view-change]").await;
        page.click("[data-test=change-discard]").await;
        page.see_gone("[data-test=view-change]").await;
        until_all_wide().await;
        page.open("/leads").await;
        page.see("[data-test=lead-row]").await;
        assert!(!page.sees("td.is-cut").await);
        page.open("/leads?view=1").await;
        page.see("[data-test=lead-row]").await;
        until_all_wide().await;

        // Without a view, the browser remembers the widths until they are reset.
        page.open("/leads").await;
        page.see("[data-test=lead-row]").await;
        page.run("document.querySelector('.table-card').scrollIntoView()", Value::Null).await;
        drag(page, "number", 30.0).await;
        page.see("td.is-cut").await;
        let kept = page.until("the address has them", async || Some(page.place().await).filter(|at| at.len() > 20)).await;
        page.open("/leads").await;
        page.is_at(&kept).await;
        page.click("[data-test=choose-columns]").await;
        page.click("[data-test=widths-reset]").await;
        page.see_gone("[data-test=widths-reset]").await;
        page.click("[data-test=columns-done]").await;
        page.see_gone("td.is-cut").await;
        page.is_at("/leads").await;
        page.reload().await;
        page.see("[data-test=lead-row]").await;
        assert!(!page.sees("td.is-cut").await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn small_screen_fits_default_columns_and_long_filter() {
    journey("lead_side", async |page, server| {
        let size = json!({ "width": 1024, "height": 768, "deviceScaleFactor": 1, "mobile": false });
        page.command("Emulation.setDeviceMetricsOverride", size).await;
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        // The default columns fit.
        let wide = "const table = document.querySelector('.table-wrap'); return table.scrollWidth - table.clientWidth";
        page.until_equal("nothing is cut off", json!(0), async || page.run(wide, Value::Null).await).await;

        // A long filter leaves room for the results.
        let many: Vec<_> = (0..40).map(|id| json!({ "id": id, "city": "Bonn" })).collect();
        let filter = json!({ "_or": many, "limit": "50;0" }).to_string();
        let filter: String = url::form_urlencoded::byte_serialize(filter.as_bytes()).collect();
        page.open(&format!("/leads?filter={filter}")).await;
        page.click("[data-test=open-filter]").await;
        page.click("[data-test=view-json]").await;
        let height = "return document.querySelector('[data-test=filter-json]').getBoundingClientRect().height <= 0.5 * innerHeight";
        page.until_equal("the pane is no higher than half the window", json!(true), async || page.run(height, Value::Null).await)
            .await;
    })
    .await;
}

/// Lead list with more columns than fit in the window.
const WIDE: &str = "/leads?columns=number,place,campaigns,email,status,next_call,not_callable_reasons";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wide_list_has_a_visible_horizontal_scrollbar() {
    journey("lead_side_bar", async |page, server| {
        let size = json!({ "width": 1024, "height": 768, "deviceScaleFactor": 1, "mobile": false });
        page.command("Emulation.setDeviceMetricsOverride", size).await;
        log_in(page, server, Role::Viewer, "/leads").await;
        page.see("[data-test=lead-row]").await;
        assert!(!page.sees("[data-test=side-scroll]").await, "the usual columns have room");

        // With pages, and with virtual scrolling.
        for list in [WIDE.to_owned(), format!("{WIDE}&row=1")] {
            page.open(&list).await;
            page.see("[data-test=lead-row]").await;
            page.see("[data-test=side-scroll]").await;
            let ends_below = "const table = document.querySelector('.table-wrap').getBoundingClientRect();
                return table.bottom > innerHeight";
            assert_eq!(page.run(ends_below, Value::Null).await, json!(true), "{list}");

            // The bar isn't covered, at any scroll position.
            let middle = "const edge = document.querySelector('[data-test=side-scroll]').getBoundingClientRect();
                const [x, y] = [edge.left + edge.width / 2, edge.top + edge.height / 2];
                const at = document.elementFromPoint(x, y);
                return edge.height > 10 && at && at.closest('[data-test=side-scroll]') ? [x, y] : null";
            let reached = async || match page.run(middle, Value::Null).await {
                Value::Null => None,
                found => Some(serde_json::from_value::<(f64, f64)>(found).unwrap()),
            };
            for screenful in ["start", "end"] {
                let scroll = "document.querySelector('.table-card').scrollIntoView({ block: arguments[0] })";
                page.run(scroll, screenful).await;
                page.until(&format!("the bar is in sight at the {screenful}"), reached).await;
            }
            page.run("window.scrollTo(0, 0)", Value::Null).await;
            let (x, y) = page.until("the bar is in sight", reached).await;

            let both = async || {
                let script = "return ['[data-test=side-scroll]', '.table-wrap'].map(css => document.querySelector(css).scrollLeft)";
                page.run(script, Value::Null).await
            };
            let wheel = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 120, "deltaY": 0 });
            page.command("Input.dispatchMouseEvent", wheel).await;
            page.until_equal("the bar takes the table along", json!([120, 120]), both).await;
            page.run("document.querySelector('.table-wrap').scrollLeft = 40", Value::Null).await;
            page.until_equal("the table takes the bar along", json!([40, 40]), both).await;
            let end = "const bar = document.querySelector('[data-test=side-scroll]');
                bar.scrollLeft = 100000;
                return new Promise(done => setTimeout(() => {
                    const [table, last] = ['.table-wrap', '.lead-table th:last-child'].map(css => document.querySelector(css));
                    done(last.getBoundingClientRect().right <= table.getBoundingClientRect().right + 1);
                }, 200))";
            assert_eq!(page.run(end, Value::Null).await, json!(true), "the last column is in sight: {list}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_unbroken_name_does_not_widen_the_page() {
    journey("long_names", async |page, server| {
        let admin = server.admin();
        let names = ["Ada".repeat(58), "Lovelace".repeat(7), "Lighthouse".repeat(20)];
        let [first, last, campaign_name] = &names;
        let lead = admin.create("/api/leads", json!({ "first_name": first, "last_name": last })).await;
        let campaign = admin.create("/api/campaigns", json!({ "name": campaign_name })).await;
        admin.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
        log_in(page, server, Role::Admin, "/leads").await;
        let filter = json!({ "campaign_id": campaign }).to_string();
        let filter: String = url::form_urlencoded::byte_serialize(filter.as_bytes()).collect();
        let pages = [
            (format!("/leads/{lead}"), "[data-test=changes] li"),
            (format!("/campaigns/{campaign}"), "[data-test=effect]"),
            (format!("/leads?filter={filter}"), "[data-test=lead-row]"),
            ("/campaigns?search=lighthouse".to_owned(), "[data-test=campaign-row]"),
            ("/settings?tab=audit".to_owned(), "[data-test=audit-row]"),
        ];
        let fits = "const tables = [...document.querySelectorAll('.table-wrap')];
            const is_in = tables.every(table => innerWidth > 820 || table.scrollWidth <= table.clientWidth);
            const cells = [...document.querySelectorAll('td.lead-cell')];
            return [document.documentElement.scrollWidth <= innerWidth, is_in, cells.every(cell => cell.offsetWidth < 420)]";
        for width in [1440, 390] {
            let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
            page.command("Emulation.setDeviceMetricsOverride", size).await;
            for (place, content) in &pages {
                page.open(place).await;
                page.see(content).await;
                let what = format!("all of {place} has room at {width}");
                page.until_equal(&what, json!([true, true, true]), async || page.run(fits, Value::Null).await).await;
            }
        }
    })
    .await;
}
