//! Layout stability: nothing jumps while a page loads.

use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::appearance::emulate_phone;
use super::journey;
use super::login::log_in;
use super::page::Page;

/// Pages, and an element of their loaded data.
const PAGES: [(&str, &str); 7] = [
    ("/leads", "[data-test=lead-row]"),
    ("/calls", "[data-test=preview] path"),
    ("/settings?tab=audit", "[data-test=audit-row]"),
    ("/settings?tab=statuses", "[data-test=status-row]"),
    ("/campaigns/5", "[data-test=campaign-impact]"),
    ("/calls/144", "[data-test=waveform] path"),
    ("/leads/11", "[data-test=lead-campaign]"),
];

/// Maximum layout shift. web.dev's Core Web Vitals call up to 0.1 good; headers that adjust their column widths cause
/// far less.
const MAX_LAYOUT_SHIFT: f64 = 0.03;

journey!(pages_do_not_shift_while_loading, async |page, server| {
    log_in(page, server, Role::Admin, "/leads").await;
    assert_stable_layout(page, "a desktop").await;
    emulate_phone(page).await;
    assert_stable_layout(page, "a phone").await;
});

async fn assert_stable_layout(page: &Page, screen: &str) {
    for (path, ready_selector) in PAGES {
        page.open(path).await;
        page.wait_for(ready_selector).await;
        // The observer reports shifts after painting, so wait for it.
        let script = "const done = arguments[arguments.length - 1];
            const shifts = [];
            new PerformanceObserver(list => shifts.push(...list.getEntries()))
                .observe({ type: 'layout-shift', buffered: true });
            const of = source => [source.node?.outerHTML?.slice(0, 80), source.previousRect, source.currentRect];
            setTimeout(() => done([
                shifts.map(shift => shift.value).reduce((sum, value) => sum + value, 0),
                shifts.map(shift => [shift.value, ...shift.sources.map(of)]),
            ]), 500)";
        let (shift, shifts): (f64, Value) =
            serde_json::from_value(page.run_async_script(script, Vec::new()).await).unwrap();
        assert!(shift <= MAX_LAYOUT_SHIFT, "{path} has a layout shift of {shift} on {screen}: {shifts}");
    }
}

/// Returns the packs that the page has preloaded, and which of them it has fetched again.
const PRELOADED_PACKS: &str = "const modules = performance.getEntriesByType('resource')
        .map(entry => ({ name: entry.name.split('/').pop(), by: entry.initiatorType }))
        .filter(module => module.name.startsWith('pack_'));
    const early = modules.filter(module => module.by === 'link').map(module => module.name);
    const again = modules.filter(module => module.by !== 'link' && early.includes(module.name));
    return [early, again]";

journey!(page_chunk_is_preloaded, async |page, server| {
    // The login page needs no chunk.
    page.open("/leads").await;
    page.wait_for("[data-test=login-email]").await;
    assert_eq!(page.run_script(PRELOADED_PACKS, Value::Null).await, json!([[], []]));

    log_in(page, server, Role::Admin, "/leads").await;
    for (path, chunk) in [
        ("/", "today"),
        ("/leads", "leads"),
        ("/leads/1", "today"),
        ("/leads/new", "settings"),
        ("/campaigns/5", "today"),
        ("/calls", "calls"),
        ("/transcripts", "imports"),
        ("/deliveries", "calls"),
        ("/imports", "imports"),
        ("/settings?tab=keys", "settings"),
        ("/api-reference", "settings"),
    ] {
        page.open(path).await;
        page.wait_for("h1").await;
        let preloads = page.run_script(PRELOADED_PACKS, Value::Null).await;
        assert_eq!(preloads, json!([[format!("pack_{chunk}.bin")], []]), "preloaded chunks of {path}");
    }
});
