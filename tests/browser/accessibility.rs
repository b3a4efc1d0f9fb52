//! Checks every page with axe-core, in both themes, at desktop and phone size.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use super::page::Page;
use super::sights::{self, Screen};
use super::{stage, visit_for};

/// Environment variable with the path of axe-core's script, set by `cargo xtask test`.
const AXE: &str = "LEADSCRIBE_AXE";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn desktop_pages_pass_axe_rules() {
    check("accessibility_desk", Screen::Desk).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phone_pages_pass_axe_rules() {
    check("accessibility_phone", Screen::Phone).await;
}

async fn check(name: &str, screen: Screen) {
    let path = std::env::var_os(AXE).unwrap_or_else(|| panic!("{AXE} is not set; run `cargo xtask test system`"));
    let axe = fs::read_to_string(path).unwrap();
    let server = stage::server().await;
    visit_for(sights::LONGEST, name, server.base(), async |page| {
        page.command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": axe })).await;
        let mut found = BTreeMap::new();
        sights::each(page, &[screen], async |sight, view| {
            for violation in violations(page).await {
                found.entry(violation).or_insert_with(Vec::new).push(format!("{} ({view})", sight.name));
            }
        })
        .await;
        let told: Vec<_> =
            found.iter().map(|(violation, views)| format!("{violation}\n    on {}", views.join(", "))).collect();
        assert!(told.is_empty(), "{} violations:\n{}", told.len(), told.join("\n"));
    })
    .await;
}

/// Returns each violation: the rule, the element, and the suggested fix.
async fn violations(page: &Page) -> Vec<String> {
    let script = "const done = arguments[arguments.length - 1];
        axe.run(document, { resultTypes: ['violations'] }).then(
            ({ violations }) => done(violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
                `${id}: ${target.join(' ')}\\n    ${failureSummary.replace(/\\s*\\n\\s*/g, ' ')}`))),
            error => done([`axe-core failed: ${error}`]))";
    let found = page.run_async(script, Vec::<Value>::new()).await;
    serde_json::from_value(found).unwrap()
}
