//! Resizable columns of the lead list, and very long names.

use fantoccini::key::Key;
use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;

/// Returns the selector of a column's resize handle.
fn resize_handle(column: &str) -> String {
    format!("[data-column={column}] [data-test=column-width]")
}

async fn column_width(page: &Page, column: &str) -> f64 {
    let script = "return document.querySelector(`[data-column=${arguments[0]}]`).getBoundingClientRect().width";
    page.run_script(script, column).await.as_f64().unwrap().round()
}

async fn expect_width(page: &Page, column: &str, expected: f64) {
    page.wait_until_equal(&format!("{column} is {expected} wide"), expected, async || column_width(page, column).await)
        .await;
}

/// Waits until the columns exactly fill the width of the table.
async fn expect_columns_fill_table(page: &Page) {
    let script = "const table = document.querySelector('.table-wrap');
        const last = document.querySelector('.lead-table th:last-child').getBoundingClientRect();
        return [table.scrollWidth - table.clientWidth, Math.round(table.getBoundingClientRect().right - last.right)]";
    page.wait_until_equal("the columns share the width", json!([0, 0]), async || {
        page.run_script(script, Value::Null).await
    })
    .await;
}

/// Returns the middle of a column's resize handle.
async fn handle_center(page: &Page, column: &str) -> (f64, f64) {
    let script = "const edge = document.querySelector(arguments[0]).getBoundingClientRect();
        return [edge.left + edge.width / 2, edge.top + edge.height / 2]";
    serde_json::from_value(page.run_script(script, resize_handle(column)).await).unwrap()
}

/// Drags a column's resize handle in steps.
async fn drag(page: &Page, column: &str, delta: f64) {
    let (x, y) = handle_center(page, column).await;
    let dispatch_mouse = async |kind: &str, x: f64, buttons: u8| {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
        page.devtools_command("Input.dispatchMouseEvent", event).await;
    };
    dispatch_mouse("mousePressed", x, 1).await;
    for step in [0.3, 0.8, 1.0] {
        dispatch_mouse("mouseMoved", x + delta * step, 1).await;
    }
    dispatch_mouse("mouseReleased", x + delta, 0).await;
}

/// Drags a column's resize handle by touch.
async fn drag_by_touch(page: &Page, column: &str, delta: f64) {
    let (x, y) = handle_center(page, column).await;
    for (event_type, points) in [
        ("touchStart", json!([{ "x": x, "y": y }])),
        ("touchMove", json!([{ "x": x + delta / 2.0, "y": y }])),
        ("touchMove", json!([{ "x": x + delta, "y": y }])),
        ("touchEnd", json!([])),
    ] {
        page.devtools_command("Input.dispatchTouchEvent", json!({ "type": event_type, "touchPoints": points })).await;
    }
}

journey!(columns_can_be_resized, async |page, server| {
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.run_script("document.querySelector('.table-card').scrollIntoView()", Value::Null).await;
    let mut number_width = column_width(page, "number").await;
    drag(page, "number", 90.0).await;
    number_width += 90.0;
    expect_width(page, "number", number_width).await;
    drag_by_touch(page, "number", -50.0).await;
    number_width -= 50.0;
    expect_width(page, "number", number_width).await;

    // The other columns share the remaining width at any window size.
    for width in [1800, 1300] {
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        page.devtools_command("Emulation.setDeviceMetricsOverride", size).await;
        expect_columns_fill_table(page).await;
        expect_width(page, "number", number_width).await;
    }
    page.devtools_command("Emulation.clearDeviceMetricsOverride", json!({})).await;
    expect_columns_fill_table(page).await;

    // Keys change the width within the bounds.
    let handle_attributes = async || {
        let script = "const edge = document.activeElement;
                return ['role', 'aria-orientation', 'aria-label', 'aria-valuenow', 'aria-valuemin', 'aria-valuemax']
                    .map(name => edge.getAttribute(name))";
        page.run_script(script, Value::Null).await
    };
    page.run_script("document.querySelector(arguments[0]).focus()", resize_handle("place")).await;
    let expected_attributes =
        |now: f64| json!(["separator", "vertical", "Width of Location", now.to_string(), "64", "800"]);
    let mut location_width = column_width(page, "place").await;
    page.wait_until_equal("the resize handle has a label", expected_attributes(location_width), handle_attributes)
        .await;
    page.type_keys(&Key::Right).await;
    location_width += 16.0;
    page.wait_until_equal("one step wider", expected_attributes(location_width), handle_attributes).await;
    page.type_keys(&(Key::Shift + &Key::Left)).await;
    location_width = (location_width - 64.0).max(64.0);
    page.wait_until_equal("four steps narrower", expected_attributes(location_width), handle_attributes).await;
    expect_width(page, "place", location_width).await;
    drag(page, "place", -600.0).await;
    expect_width(page, "place", 64.0).await;

    // Text that doesn't fit is truncated, with a tooltip.
    let truncation_script = "const cell = document.querySelector('.lead-table td:nth-child(3)');
            return [getComputedStyle(cell).textOverflow, cell.scrollWidth > cell.clientWidth, cell.title === cell.innerText]";
    assert_eq!(page.run_script(truncation_script, Value::Null).await, json!(["ellipsis", true, true]));
    page.run_script("document.querySelector(arguments[0]).focus()", resize_handle("place")).await;
    page.type_keys(&Key::Home).await;
    let fits_script = "return [...document.querySelectorAll('.lead-table td:nth-child(3)')].every(
            cell => cell.scrollWidth <= cell.clientWidth)";
    page.wait_until_equal("the column fits its content", json!(true), async || {
        page.run_script(fits_script, Value::Null).await
    })
    .await;
    location_width = column_width(page, "place").await;
    assert!(location_width > 64.0);

    // A table wider than the screen scrolls, and the lead column stays in place.
    drag(page, "campaigns", 700.0).await;
    expect_width(page, "campaigns", 800.0).await;
    let expected_widths = [("number", number_width), ("place", location_width), ("campaigns", 800.0)];
    let expect_all_widths = async || {
        for (column, expected) in expected_widths {
            expect_width(page, column, expected).await;
        }
    };
    expect_all_widths().await;
    let sticky_script = "const table = document.querySelector('.table-wrap');
            const lead = () => document.querySelector('td.lead-cell').getBoundingClientRect().left;
            const before = lead();
            table.scrollLeft = 40;
            return [table.scrollLeft, lead() - before]";
    assert_eq!(page.run_script(sticky_script, Value::Null).await, json!([40, 0]));

    // The URL contains the widths, so a link shows them in any browser.
    let widths_query = expected_widths.map(|(column, width)| format!("{column}%3A{width}%2C")).concat();
    let link = format!("/leads?columns={widths_query}global_updated_at");
    page.expect_location(&link).await;
    page.run_script("localStorage.clear()", Value::Null).await;
    page.open(&link).await;
    page.wait_for("[data-test=lead-row]").await;
    expect_all_widths().await;

    // A saved view contains the widths, and resizing marks it as changed.
    page.click("[data-test=views] summary").await;
    page.click("[data-test=view-save-as]").await;
    page.fill("[data-test=new-name]", "Wide").await;
    page.click("[data-test=create]").await;
    page.expect_text("[data-test=view-name]", "Wide").await;
    page.expect_location("/leads?view=1").await;
    page.run_script("document.querySelector('.table-card').scrollIntoView()", Value::Null).await;
    drag(page, "number", -40.0).await;
    page.wait_for("[data-test=view-unsaved]").await;
    page.click("[data-test=change-discard]").await;
    page.wait_until_gone("[data-test=view-unsaved]").await;
    expect_all_widths().await;
    page.open("/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    assert!(!page.is_visible("td.is-truncated").await);
    page.open("/leads?view=1").await;
    page.wait_for("[data-test=lead-row]").await;
    expect_all_widths().await;

    // Without a view, the browser remembers the widths until they are reset.
    page.open("/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.run_script("document.querySelector('.table-card').scrollIntoView()", Value::Null).await;
    drag(page, "number", 30.0).await;
    page.wait_for("td.is-truncated").await;
    let remembered_path = page
        .wait_until("the URL contains the widths", async || {
            Some(page.location().await).filter(|location| location.len() > 20)
        })
        .await;
    page.open("/leads").await;
    page.expect_location(&remembered_path).await;
    page.click("[data-test=choose-columns]").await;
    page.click("[data-test=widths-reset]").await;
    page.wait_until_gone("[data-test=widths-reset]").await;
    page.click("[data-test=columns-close]").await;
    page.wait_until_gone("td.is-truncated").await;
    page.expect_location("/leads").await;
    page.reload().await;
    page.wait_for("[data-test=lead-row]").await;
    assert!(!page.is_visible("td.is-truncated").await);
});

journey!(small_screen_fits_default_columns_and_long_filter, async |page, server| {
    let size = json!({ "width": 1024, "height": 768, "deviceScaleFactor": 1, "mobile": false });
    page.devtools_command("Emulation.setDeviceMetricsOverride", size).await;
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    // The default columns fit.
    let overflow_script =
        "const table = document.querySelector('.table-wrap'); return table.scrollWidth - table.clientWidth";
    page.wait_until_equal("nothing is clipped", json!(0), async || page.run_script(overflow_script, Value::Null).await)
        .await;

    // A long filter leaves room for the results.
    let conditions: Vec<_> = (0..40).map(|id| json!({ "id": id, "city": "Bonn" })).collect();
    let filter = json!({ "_or": conditions, "limit": "50;0" }).to_string();
    let filter: String = url::form_urlencoded::byte_serialize(filter.as_bytes()).collect();
    page.open(&format!("/leads?filter={filter}")).await;
    page.click("[data-test=open-filter]").await;
    page.click("[data-test=view-json]").await;
    let height_script =
        "return document.querySelector('[data-test=filter-json]').getBoundingClientRect().height <= 0.5 * innerHeight";
    page.wait_until_equal("the JSON editor is at most half the window high", json!(true), async || {
        page.run_script(height_script, Value::Null).await
    })
    .await;
});

/// Lead list with more columns than fit in the window.
const WIDE_LIST_PATH: &str = "/leads?columns=number,place,campaigns,email,status,next_call,not_callable_reasons";

journey!(wide_list_has_a_visible_horizontal_scrollbar, async |page, server| {
    let size = json!({ "width": 1024, "height": 768, "deviceScaleFactor": 1, "mobile": false });
    page.devtools_command("Emulation.setDeviceMetricsOverride", size).await;
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    assert!(!page.is_visible("[data-test=horizontal-scrollbar]").await, "the default columns fit");

    page.open(WIDE_LIST_PATH).await;
    page.wait_for("[data-test=lead-row]").await;
    page.wait_for("[data-test=horizontal-scrollbar]").await;
    let script = "const table = document.querySelector('.table-wrap').getBoundingClientRect();
            return table.bottom > innerHeight";
    assert_eq!(page.run_script(script, Value::Null).await, json!(true));

    // The bar isn't covered, at any scroll position.
    let center_script =
        "const edge = document.querySelector('[data-test=horizontal-scrollbar]').getBoundingClientRect();
            const [x, y] = [edge.left + edge.width / 2, edge.top + edge.height / 2];
            const at = document.elementFromPoint(x, y);
            return edge.height > 10 && at && at.closest('[data-test=horizontal-scrollbar]') ? [x, y] : null";
    let scrollbar_position = async || match page.run_script(center_script, Value::Null).await {
        Value::Null => None,
        position => Some(serde_json::from_value::<(f64, f64)>(position).unwrap()),
    };
    for alignment in ["start", "end"] {
        let script = "document.querySelector('.table-card').scrollIntoView({ block: arguments[0] })";
        page.run_script(script, alignment).await;
        page.wait_until(&format!("the scrollbar is in view at the {alignment}"), scrollbar_position).await;
    }
    page.run_script("window.scrollTo(0, 0)", Value::Null).await;
    let (x, y) = page.wait_until("the scrollbar is in view", scrollbar_position).await;

    let scroll_positions = async || {
        let script = "return ['[data-test=horizontal-scrollbar]', '.table-wrap']
                .map(css => document.querySelector(css).scrollLeft)";
        page.run_script(script, Value::Null).await
    };
    let wheel_event = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 120, "deltaY": 0 });
    page.devtools_command("Input.dispatchMouseEvent", wheel_event).await;
    page.wait_until_equal("scrolling the scrollbar moves the table", json!([120, 120]), scroll_positions).await;
    page.run_script("document.querySelector('.table-wrap').scrollLeft = 40", Value::Null).await;
    page.wait_until_equal("scrolling the table moves the scrollbar", json!([40, 40]), scroll_positions).await;
    let scroll_end_script = "const bar = document.querySelector('[data-test=horizontal-scrollbar]');
            bar.scrollLeft = 100000;
            return new Promise(done => setTimeout(() => {
                const [table, last] = ['.table-wrap', '.lead-table th:last-child'].map(css => document.querySelector(css));
                done(last.getBoundingClientRect().right <= table.getBoundingClientRect().right + 1);
            }, 200))";
    assert_eq!(page.run_script(scroll_end_script, Value::Null).await, json!(true), "the last column is in view");
});

journey!(long_unbroken_name_does_not_widen_the_page, async |page, server| {
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
        (format!("/campaigns/{campaign}"), "[data-test=campaign-impact]"),
        (format!("/leads?filter={filter}"), "[data-test=lead-row]"),
        ("/campaigns?search=lighthouse".to_owned(), "[data-test=campaign-row]"),
        ("/settings?tab=audit".to_owned(), "[data-test=audit-row]"),
    ];
    let fits_script = "const tables = [...document.querySelectorAll('.table-wrap')];
            const is_in = tables.every(table => innerWidth > 820 || table.scrollWidth <= table.clientWidth);
            const cells = [...document.querySelectorAll('td.lead-cell')];
            return [document.documentElement.scrollWidth <= innerWidth, is_in, cells.every(cell => cell.offsetWidth < 420)]";
    for width in [1440, 390] {
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        page.devtools_command("Emulation.setDeviceMetricsOverride", size).await;
        for (path, content) in &pages {
            page.open(path).await;
            page.wait_for(content).await;
            let description = format!("{path} fits a window of {width} px");
            page.wait_until_equal(&description, json!([true, true, true]), async || {
                page.run_script(fits_script, Value::Null).await
            })
            .await;
        }
    }
});
