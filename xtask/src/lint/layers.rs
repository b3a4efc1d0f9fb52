//! Dependencies between the top-level modules of the server and of the panel: each may use only the modules below it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::cycles;

/// Modules of a crate, from top to bottom. Modules of one row don't use each other.
type Layers = &'static [&'static [&'static str]];

/// Source folders and their layers.
const CRATES: [(&str, Layers); 2] = [("server/src", SERVER_LAYERS), ("web/src", PANEL_LAYERS)];

const SERVER_LAYERS: Layers = &[
    &["main", "lib"],
    &["cli"],
    &["doctor", "demo", "worker"],
    &["http"],
    &["service"],
    &["clock_watch", "backup"],
    &["outage", "speech", "webhook"],
    &["recording", "http_client"],
    &["storage"],
    &["telemetry"],
    &["config", "transcript", "phone", "clock", "time_zones"],
    &["background", "blocking_pool", "fd_limit", "in_flight", "low_priority"],
    &["concurrency_limit"],
];

const PANEL_LAYERS: Layers = &[
    &["main"],
    &["app"],
    &["routes"],
    &[FEATURES],
    &["ui"],
    &["navigation"],
    &["state"],
    &["api"],
    &["i18n"],
    &["browser"],
];

/// Module of the panel whose children don't use one another.
const FEATURES: &str = "features";

/// Crate of the lead index, whose types the rest of the server doesn't depend on.
const LEAD_INDEX: &str = "leadscribe_lead_index::";

/// Files and folders that may use the lead index.
const LEAD_INDEX_ADAPTERS: &[&str] =
    &["storage/serialized_lead.rs", "storage/sql/lead_index.rs", "storage/sql/lead_index"];

/// Checks the modules of the server and of the panel.
///
/// # Errors
/// Names each file that uses a module above its own or another feature, and modules that have no layer.
pub fn check(root: &Path) -> Result<()> {
    let mut errors = Vec::new();
    for (source, layers) in CRATES {
        check_crate(&root.join(source), layers, &mut errors)?;
    }
    ensure!(
        errors.is_empty(),
        "modules break the layers in xtask/src/lint/layers.rs:\n       {}",
        errors.join("\n       ")
    );
    Ok(())
}

fn check_crate(source: &Path, layers: Layers, errors: &mut Vec<String>) -> Result<()> {
    for entry in walkdir::WalkDir::new(source).sort_by_file_name() {
        let entry = entry?;
        let path = entry.path();
        let relative = path.strip_prefix(source).unwrap_or(path);
        if path.extension().is_none_or(|extension| extension != "rs") || is_test(relative) {
            continue;
        }
        let text = fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
        let own: Vec<_> =
            relative.iter().map(|name| name.to_string_lossy().trim_end_matches(".rs").to_owned()).collect();
        if text.contains(LEAD_INDEX) && !LEAD_INDEX_ADAPTERS.iter().any(|adapter| relative.starts_with(adapter)) {
            errors.push(format!("{}: only {LEAD_INDEX_ADAPTERS:?} may use `{LEAD_INDEX}`", relative.display()));
        }
        let mut file_errors: Vec<_> =
            paths(&text).iter().filter_map(|used| dependency_error(layers, &own, used)).collect();
        file_errors.dedup();
        errors.extend(file_errors.iter().map(|error| format!("{}: {error}", relative.display())));
    }
    Ok(())
}

pub(super) fn is_test(path: &Path) -> bool {
    let is_test_name = |name: &str| {
        ["tests", "tests.rs", "conformance", "testing.rs", "testing"].contains(&name) || name.ends_with("_tests.rs")
    };
    path.iter().any(|name| is_test_name(&name.to_string_lossy()))
}

/// Returns the code of a file without its comments and tests.
pub(super) fn without_tests(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    text.lines().map(|line| line.split("//").next().unwrap_or(line).to_owned() + "\n").collect()
}

/// Returns the paths in the crate that a file uses outside its tests, without `crate`.
fn paths(text: &str) -> Vec<Vec<String>> {
    let paths = cycles::paths(&without_tests(text)).into_iter();
    let mut paths: Vec<Vec<String>> = paths
        .filter(|path| path.first().is_some_and(|root| root == "crate"))
        .map(|path| path.into_iter().skip(1).collect::<Vec<_>>())
        .filter(|path| path.first().is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase())))
        .collect();
    paths.sort();
    paths
}

/// Returns why the module `own` may not use `used`.
fn dependency_error(layers: Layers, own: &[String], used: &[String]) -> Option<String> {
    let layer = |name: &str| layers.iter().position(|layer| layer.contains(&name));
    let (module, other) = (own.first()?.as_str(), used.first()?.as_str());
    if module == FEATURES && other == FEATURES {
        let (from, to) = (own.get(1)?, used.get(1)?);
        return (from != to).then(|| format!("the feature `{from}` may not use `{to}`"));
    }
    match (layer(module), layer(other)) {
        _ if module == other => None,
        (Some(from), Some(to)) if from < to => None,
        (Some(_), Some(_)) => Some(format!("`{module}` may not use `{other}`")),
        (None, _) => Some(format!("module `{module}` has no layer")),
        (_, None) => Some(format!("module `{other}` has no layer")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_use_only_lower_layers() {
        let path = |path: &str| path.split("::").map(str::to_owned).collect::<Vec<_>>();
        let error = |layers, own, used| dependency_error(layers, &path(own), &path(used));
        let in_server = |own, used| error(SERVER_LAYERS, own, used);
        assert_eq!(in_server("http", "service"), None);
        assert_eq!(in_server("storage", "http").as_deref(), Some("`storage` may not use `http`"));
        assert_eq!(in_server("demo", "worker").as_deref(), Some("`demo` may not use `worker`"));
        assert_eq!(in_server("http", "unlisted").as_deref(), Some("module `unlisted` has no layer"));
        let in_panel = |own, used| error(PANEL_LAYERS, own, used);
        assert_eq!(in_panel("features::leads::list", "features::leads::lead"), None);
        let other_feature = in_panel("features::leads::list", "features::calls::list");
        assert_eq!(other_feature.as_deref(), Some("the feature `leads` may not use `calls`"));
    }

    #[test]
    fn finds_used_modules_outside_tests_and_comments() {
        let text = "use crate::{app::{App, b}, clock};\nfn f() { crate::storage::x() } // crate::http\n#[cfg(test)]\nmod tests {\n    use crate::worker;\n}\n";
        let expected = [vec!["app", "App"], vec!["app", "b"], vec!["clock"], vec!["storage", "x"]];
        assert_eq!(paths(text), expected);
    }
}
