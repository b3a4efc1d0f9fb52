//! Alerts, dashboard and documents refer to existing metrics and to one another.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use super::Exposition;
use crate::harness::ServerProcess;

fn read_document(name: &str) -> String {
    let path = format!("{}/../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the names in a text that begin with `leadscribe_`.
fn metric_names(text: &str) -> BTreeSet<String> {
    let is_name_char = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    text.match_indices("leadscribe_")
        .map(|(start, _)| text[start..].split(|c| !is_name_char(c)).next().unwrap().to_owned())
        .collect()
}

/// Returns the value after `key:` in a line of the alerts, without quotes.
fn value_after_key<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let value = line.trim().trim_start_matches("- ").strip_prefix(key)?.strip_prefix(':')?;
    Some(value.trim().trim_matches(['"', '\'']))
}

#[tokio::test]
async fn alerts_dashboard_and_documents_name_existing_metrics() {
    let temp_dir = tempfile::tempdir().unwrap();
    let program = ServerProcess::start_with(temp_dir.path(), &[("LEADSCRIBE_METRICS_PUBLIC", "true")]).await;
    // The first request is counted when the second is made.
    Exposition::fetch(&program.client()).await;
    let exposition = Exposition::fetch(&program.client()).await;
    // Metrics that exist only with a recognizer or TLS.
    let conditional_metrics = ["leadscribe_recognizer_ready", "leadscribe_tls_certificate_expiry_timestamp_seconds"];

    for name in ["operations/alerts.yml", "operations/dashboard.json", "RUNBOOK.md"] {
        let names = metric_names(&read_document(name));
        assert!(names.len() >= 10, "{name} names {names:?}");
        for metric in names.iter().filter(|metric| !conditional_metrics.contains(&metric.as_str())) {
            assert!(exposition.metric(metric).is_some(), "{name} refers to {metric}, which doesn't exist");
        }
    }
    let documented = metric_names(&read_document("OPERATIONS.md"));
    let dashboard = metric_names(&read_document("operations/dashboard.json"));
    for metric in exposition.types.keys().map(String::as_str).chain(conditional_metrics) {
        assert!(documented.contains(metric), "OPERATIONS.md doesn't describe {metric}");
        let is_on_dashboard = dashboard
            .iter()
            .any(|name| name == metric || exposition.metric(name).is_some_and(|base_metric| base_metric == metric));
        assert!(is_on_dashboard, "the dashboard doesn't show {metric}");
    }
}

#[test]
fn each_alert_links_to_its_runbook_section() {
    let (alerts, runbook) = (read_document("operations/alerts.yml"), read_document("RUNBOOK.md"));
    let values_of =
        |key: &str| alerts.lines().filter_map(|line| value_after_key(line, key)).map(str::to_owned).collect::<Vec<_>>();
    let names = values_of("alert");
    assert!(names.len() >= 10, "{names:?}");
    let sections: Vec<_> = runbook.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(sections, names, "the sections of the runbook, in the order of the alerts");
    let expected: Vec<_> = names.iter().map(|name| format!("docs/RUNBOOK.md#{}", name.to_lowercase())).collect();
    assert_eq!(values_of("runbook_url"), expected);
    for key in ["expr", "for", "severity", "summary"] {
        assert_eq!(values_of(key).len(), names.len(), "{key}");
    }
    for section in runbook.split("\n## ").skip(1) {
        for part in ["**Meaning.**", "**Diagnosis.**", "**Mitigation.**"] {
            assert!(section.contains(part), "{part} in {section}");
        }
    }
}

#[test]
fn dashboard_is_valid_for_grafana() {
    let dashboard: Value = serde_json::from_str(&read_document("operations/dashboard.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let ids: BTreeSet<_> = panels.iter().map(|panel| panel["id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len(), "panel ids are unique");
    for panel in panels {
        let grid_position = ["x", "y", "w", "h"].map(|side| panel["gridPos"][side].as_u64().unwrap());
        assert!(grid_position[0] + grid_position[2] <= 24, "{panel} is wider than the page");
        for target in panel["targets"].as_array().into_iter().flatten() {
            let expression = target["expr"].as_str().unwrap();
            assert_eq!(expression.matches('(').count(), expression.matches(')').count(), "{expression}");
        }
    }
}
