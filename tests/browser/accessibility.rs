//! Checks every page with axe-core, in both themes, at desktop and phone size.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use super::page::Page;
use super::scenes::{self, Screen};
use super::{demo_server, run_in_browser_within};

/// Environment variable with the path of axe-core's script, set by `cargo xtask test`.
const AXE_VARIABLE: &str = "LEADSCRIBE_AXE";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn desktop_pages_pass_axe_rules() {
    check_pages("desktop_pages_pass_axe_rules", Screen::Desktop).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phone_pages_pass_axe_rules() {
    check_pages("phone_pages_pass_axe_rules", Screen::Phone).await;
}

async fn check_pages(name: &str, screen: Screen) {
    let path = std::env::var_os(AXE_VARIABLE)
        .unwrap_or_else(|| panic!("{AXE_VARIABLE} is not set; run `cargo xtask test system`"));
    let axe = fs::read_to_string(path).unwrap();
    let server = demo_server::start_server().await;
    run_in_browser_within(scenes::ALL_SCENES_TIMEOUT, name, server.base(), async |page| {
        page.devtools_command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": axe })).await;
        let mut violations_by_rule = BTreeMap::new();
        scenes::visit_each(page, &[screen], async |scene, view_name| {
            for violation in violations(page).await {
                violations_by_rule
                    .entry(violation)
                    .or_insert_with(Vec::new)
                    .push(format!("{} ({view_name})", scene.name));
            }
        })
        .await;
        let messages: Vec<_> = violations_by_rule
            .iter()
            .map(|(violation, views)| format!("{violation}\n    on {}", views.join(", ")))
            .collect();
        assert!(messages.is_empty(), "{} violations:\n{}", messages.len(), messages.join("\n"));
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
    let result = page.run_async_script(script, Vec::<Value>::new()).await;
    serde_json::from_value(result).unwrap()
}
