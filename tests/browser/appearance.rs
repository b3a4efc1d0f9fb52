//! Phone layout, dark theme, and errors or requests that users don't see.

use leadscribe_engine::api::{RecordingSide, Role};
use serde_json::{Value, json};

use super::deliveries::request_deliveries;
use super::login::log_in;
use super::page::Page;
use super::{demo_server, journey, run_in_browser};
use crate::harness::Server;

/// Each page, and an element of its loaded data.
const ALL_PAGES: [(&str, &str); 25] = [
    ("/", "[data-test=bar]"),
    ("/leads", "[data-test=lead-row]"),
    ("/leads/1", "[data-test=lead-campaign]"),
    ("/campaigns", "[data-test=progress] li"),
    ("/campaigns/5", "[data-test=campaign-impact]"),
    ("/campaigns/new", "[data-test=campaign-name]"),
    ("/calls", "[data-test=call-row]"),
    ("/calls?search=nobody", "[data-test=empty-state]"),
    ("/calls/148", "[data-test=waveform] path"),
    ("/transcripts", "[data-test=hit]"),
    ("/transcripts?search=bicycle", "[data-test=empty-state]"),
    ("/deliveries", "[data-test=delivery-row]"),
    ("/deliveries/1", "[data-test=delivery-state]"),
    ("/imports", "#import-history-title"),
    ("/api-reference", ".opblock"),
    ("/api-reference?operation=post_speech_recognition", ".responses-table"),
    ("/api-reference?tab=playground", "[data-test=curl]"),
    ("/settings?tab=tokens", "[data-test=token-row]"),
    ("/settings?tab=keys", "[data-test=key-row]"),
    ("/settings?tab=users", "[data-test=user-row]"),
    ("/settings?tab=statuses", "[data-test=status-row]"),
    ("/settings?tab=endpoints", "[data-test=endpoint-row]"),
    ("/settings?tab=audit", "[data-test=audit-row]"),
    ("/settings?tab=retention", "[data-test=retention-source]"),
    ("/settings?tab=account", "[data-test=change-password]"),
];

/// Phone size in CSS pixels.
const PHONE_SIZE: (u32, u32) = (390, 844);

pub async fn emulate_phone(page: &Page) {
    let (width, height) = PHONE_SIZE;
    let phone = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": true });
    page.devtools_command("Emulation.setDeviceMetricsOverride", phone).await;
}

/// Returns the focusable elements in table headers that are hidden because the rows are shown as cards.
const HIDDEN_FOCUSABLE_SCRIPT: &str = "return [...document.querySelectorAll('thead :is(button, input, a)')]
    .filter(element => getComputedStyle(element.closest('thead')).clipPath !== 'none')
    .filter(element => element.checkVisibility({ visibilityProperty: true }))
    .map(element => element.outerHTML)";

journey!(pages_fit_a_phone, async |page, server| {
    add_test_data(server).await;
    emulate_phone(page).await;
    page.open("/login").await;
    page.wait_for("[data-test=login-email]").await;
    assert_eq!(overflowing_elements(page).await, json!([]), "overflowing elements on the login page");
    log_in(page, server, Role::Admin, "/leads").await;
    for (path, loaded_element) in pages_with_lead(server).await {
        page.open(&path).await;
        page.wait_for(loaded_element).await;
        assert_eq!(overflowing_elements(page).await, json!([]), "overflowing elements on {path}");
        assert_eq!(
            page.run_script(HIDDEN_FOCUSABLE_SCRIPT, ()).await,
            json!([]),
            "hidden elements take the focus on {path}"
        );
    }
    for (name, path) in [("Calls", "/calls"), ("Imports", "/imports"), ("Settings", "/settings"), ("Leads", "/leads")] {
        let link = format!("nav a[href='{path}']");
        if !page.is_visible(&link).await {
            page.click("[data-test=more-pages]").await;
        }
        page.click(&link).await;
        page.expect_location(path).await;
        page.expect_text("h1", name).await;
        page.wait_for(".tabbar > [aria-current]").await;
    }
    // The menu of further pages closes even if the link leads to the current page.
    page.open("/settings?tab=statuses").await;
    page.click("[data-test=more-pages]").await;
    page.click("#more-pages a[href='/settings']").await;
    page.expect_location("/settings").await;
    page.wait_until_gone("#more-pages:popover-open").await;
    page.open("/leads").await;
    page.expect_text("h1", "Leads").await;
    page.select_option("[data-test=sort-select]", "last_name").await;
    page.click("[data-test=sort-direction]").await;
    page.expect_text("[data-test=filter-explanation]", "All leads; sorted by last name (Z to A).").await;
    // Cards have no header with a checkbox to select all, so there is a button.
    page.click("[data-test=select-cards]").await;
    page.expect_text("[data-test=selected]", "50 leads selected").await;
    let low_buttons_script = "return [...document.querySelectorAll('[data-test=selection] .selection-actions button')]
            .filter(button => button.getBoundingClientRect().height < 36).map(button => button.textContent)";
    assert_eq!(page.run_script(low_buttons_script, ()).await, json!([]), "touch targets that are too small");
    page.open("/calls?limit=10;0").await;
    page.wait_for("[data-test=call-row]").await;
    page.click("[data-test=select-cards]").await;
    page.wait_for(":not(:has([data-test=select-call]:not(:checked))) > [data-test=call-row]").await;
});

journey!(forms_fit_their_lines_on_a_phone, async |page, server| {
    let lead = server.admin().create("/api/leads", json!({ "first_name": "Ann" })).await;
    emulate_phone(page).await;
    log_in(page, server, Role::Manager, &format!("/leads/{lead}?edit")).await;
    page.wait_for("[data-test=lead-form]").await;
    let height = page.run_script("return document.querySelector('.lead-form-footer').offsetHeight", Value::Null).await;
    assert!(height.as_f64().unwrap() < 80.0, "the form footer is {height} px high");

    let filter = json!({ "_or": [{ "city": "Bonn" }, { "zip": "53111" }], "limit": "50;0" }).to_string();
    let filter: String = url::form_urlencoded::byte_serialize(filter.as_bytes()).collect();
    page.open(&format!("/leads?filter={filter}")).await;
    page.wait_for("[data-test=group] [data-test=condition]").await;
    let script = "return ['.condition-operator', '.condition-value'].map(css =>
            document.querySelector(`[data-test=group] ${css}`).getBoundingClientRect().right)";
    let right_edges = page.run_script(script, Value::Null).await;
    assert_eq!(right_edges[0], right_edges[1], "operator and value end at the same position");
});

/// Returns the placeholders that are wider than their empty input.
const CLIPPED_PLACEHOLDERS_SCRIPT: &str = "const pen = document.createElement('canvas').getContext('2d');
    return [...document.querySelectorAll('input[placeholder]')]
        .filter(input => input.checkVisibility({ visibilityProperty: true }))
        .filter(input => {
            const style = getComputedStyle(input);
            pen.font = style.font;
            const room = input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
            return pen.measureText(input.placeholder).width > room;
        })
        .map(input => input.placeholder)";

journey!(german_placeholders_fit_on_a_phone, async |page, server| {
    add_test_data(server).await;
    emulate_phone(page).await;
    page.open("/login").await;
    page.wait_for("[data-test=login-email]").await;
    page.run_script("localStorage.setItem('leadscribe.language', 'de')", Value::Null).await;
    log_in(page, server, Role::Admin, "/leads").await;
    for (path, loaded_element) in pages_with_lead(server).await {
        page.open(&path).await;
        page.wait_for(loaded_element).await;
        assert_eq!(
            page.run_script(CLIPPED_PLACEHOLDERS_SCRIPT, ()).await,
            json!([]),
            "placeholders are clipped on {path}"
        );
    }
});

journey!(dark_theme_is_dark_and_persists, async |page, server| {
    log_in(page, server, Role::Viewer, "/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    let (background, text) = brightness(page).await;
    assert!(background > 0.8 && text < 0.4, "light by default: background {background}, text {text}");
    page.click("[data-test=user-menu]").await;
    page.click("#user-menu [data-test=theme] button:last-child").await;
    wait_until_dark(page).await;
    page.reload().await;
    page.wait_for("[data-test=lead-row]").await;
    wait_until_dark(page).await;
});

journey!(pages_have_no_errors_and_no_third_party_requests, async |page, server| {
    add_test_data(server).await;
    log_in(page, server, Role::Admin, "/leads").await;
    // Before the login, the session request fails, which browsers log as an error.
    assert_eq!(page.script_errors().await, Vec::<Value>::new(), "script errors on the login page");
    for (path, loaded_element) in pages_with_lead(server).await {
        page.open(&path).await;
        page.wait_for(loaded_element).await;
        let is_problem = |entry: &Value| entry["level"] == "SEVERE" || entry["level"] == "WARNING";
        let errors: Vec<_> = page.take_console_entries().await.into_iter().filter(is_problem).collect();
        assert_eq!(errors, Vec::<Value>::new(), "script errors on {path}");
    }
    let network = page.take_network_events().await;
    // Ignores the requests of Chromium's own start page.
    let requested_urls: Vec<_> = network
        .iter()
        .filter(|(method, _)| method == "Network.requestWillBeSent")
        .filter(|(_, request)| !request["documentURL"].as_str().unwrap().starts_with("chrome://"))
        .map(|(_, request)| request["request"]["url"].as_str().unwrap())
        .collect();
    assert!(requested_urls.len() > ALL_PAGES.len(), "{requested_urls:?}");
    let is_own = |url: &&&str| url.starts_with(server.base()) || url.starts_with("data:") || url.starts_with("blob:");
    let third_party: Vec<_> = requested_urls.iter().filter(|url| !is_own(url)).collect();
    assert!(third_party.is_empty(), "{third_party:?}");
});

/// Adds what the sample data lacks: a token, a transcript, a delivery.
async fn add_test_data(server: &Server) {
    let token = server.create_speech_token("Quality team").await;
    let lines = [(RecordingSide::Caller, "good morning"), (RecordingSide::Callee, "when is my delivery")];
    server.create_transcribed_call(&token, json!({}), &lines).await;
    request_deliveries(server).await;
}

/// Returns [`ALL_PAGES`] with a lead that is in a campaign in place of the first lead.
async fn pages_with_lead(server: &Server) -> Vec<(String, &'static str)> {
    let filter = json!({ "campaign_lead_id": { "null": false }, "limit": "1;0" }).to_string();
    let leads = server.admin().put("/api/leads/extended-data", filter).await.expect(200);
    let lead = format!("/leads/{}", leads["leads"][0]["id"]);
    ALL_PAGES
        .map(|(path, loaded_element)| (if path == "/leads/1" { lead.clone() } else { path.to_owned() }, loaded_element))
        .to_vec()
}

/// Returns the elements that make the page wider than the screen.
async fn overflowing_elements(page: &Page) -> Value {
    let script = "const width = arguments[0];
        if (document.scrollingElement.scrollWidth <= width) return [];
        return [...document.querySelectorAll('body *')]
            .filter(e => e.getBoundingClientRect().right > width + 0.5)
            .slice(0, 5)
            .map(e => `${e.tagName}.${e.className} to ${Math.round(e.getBoundingClientRect().right)}`)
            .concat(`the page is ${document.scrollingElement.scrollWidth} wide`)";
    page.run_script(script, PHONE_SIZE.0).await
}

/// Waits until the background is dark and the text is light.
async fn wait_until_dark(page: &Page) {
    page.wait_until("the page is dark", async || {
        let (background, text) = brightness(page).await;
        (background < 0.05 && text > 0.6).then_some(())
    })
    .await;
}

/// Returns the relative luminance of the page's background and text, from 0 to 1.
async fn brightness(page: &Page) -> (f64, f64) {
    // Paints the colors over one another and reads a pixel: computed colors have many notations, and may be
    // transparent.
    let script = "const luminance = (...colors) => {
            const context = new OffscreenCanvas(1, 1).getContext('2d');
            for (const color of ['white', ...colors]) {
                context.fillStyle = color;
                context.fillRect(0, 0, 1, 1);
            }
            const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data]
                .map(part => part / 255)
                .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const [root, body] = [document.documentElement, document.body].map(element => getComputedStyle(element));
        return [luminance(root.backgroundColor, body.backgroundColor), luminance(body.color)]";
    serde_json::from_value(page.run_script(script, Value::Null).await).unwrap()
}

/// Page, and an element of its loaded data.
type PageAndElement = (&'static str, &'static str);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_headers_are_compact_on_a_phone() {
    const COMPACT_PAGES: [PageAndElement; 9] = [
        ("/leads", "[data-test=lead-row]"),
        ("/calls", "[data-test=call-row]"),
        ("/campaigns", "[data-test=campaign-row]"),
        ("/transcripts", "[data-test=hit]"),
        ("/deliveries", "[data-test=delivery-row]"),
        ("/leads/1", "[data-test=edit-lead]"),
        ("/campaigns/1", "[data-test=save]"),
        ("/campaigns/new", "[data-test=campaign-name]"),
        ("/deliveries/1", "[data-test=attempt]"),
    ];
    let server = demo_server::start_server().await;
    run_in_browser("page_headers_are_compact_on_a_phone", server.base(), async |page| {
        demo_server::log_in(page).await;
        emulate_phone(page).await;
        for (path, loaded_element) in COMPACT_PAGES {
            page.open(path).await;
            page.wait_for(loaded_element).await;
            // The title and one line of actions.
            let height =
                page.run_script("return document.querySelector('.page-header').offsetHeight", Value::Null).await;
            assert!(height.as_f64().unwrap() <= 112.0, "the header of {path} is {height} px high");
        }
        // Filters are behind a button, so that the list starts on the first screen.
        page.open("/calls").await;
        page.wait_for("[data-test=call-row]").await;
        assert!(!page.is_visible("[aria-label=Outcome]").await);
        let script = "return document.querySelector('[data-test=call-row]').getBoundingClientRect().top";
        let top = page.run_script(script, Value::Null).await.as_f64().unwrap();
        assert!(top < f64::from(PHONE_SIZE.1) / 2.0, "the first call is {top} px below the top");
        // The checkbox is next to the card's title, as on a lead's card.
        let checkbox_script =
            "return [...document.querySelectorAll('[data-test=select-call], [data-test=select-lead]')].slice(0, 2)
            .map(box => Math.round(box.getBoundingClientRect().left))";
        let call_positions = page.run_script(checkbox_script, Value::Null).await;
        page.click("[data-test=more-filters]").await;
        page.select_option("[aria-label=Outcome]", "answered").await;
        page.expect_text("[data-test=more-filters]", "Filters (1)").await;
        page.open("/leads").await;
        page.wait_for("[data-test=select-lead]").await;
        assert_eq!(page.run_script(checkbox_script, Value::Null).await, call_positions);
        page.open("/settings?tab=audit").await;
        page.wait_for("[data-test=audit-row]").await;
        assert!(!page.is_visible("[aria-label=Action]").await);
        page.click("[data-test=more-filters]").await;
        page.select_option("[aria-label=Action]", "user").await;
        page.expect_text("[data-test=more-filters]", "Filters (1)").await;
    })
    .await;
}
