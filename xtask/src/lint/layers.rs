//! Dependencies between the top-level modules of the server: each may use only the modules below it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::cycles;

/// Source folder of the server.
const SOURCE_FOLDER: &str = "server/src";

/// The modules from top to bottom. Modules of one row don't use each other.
const LAYERS: &[&[&str]] = &[
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
    &["background", "blocking_pool", "fd_limit", "in_flight", "low_priority", "concurrency_limit"],
];

/// Crate of the lead index, whose types the rest of the server doesn't depend on.
const LEAD_INDEX: &str = "leadscribe_lead_index::";

/// Files and folders that may use the lead index.
const LEAD_INDEX_ADAPTERS: &[&str] =
    &["storage/serialized_lead.rs", "storage/sql/lead_index.rs", "storage/sql/lead_index"];

/// Checks the modules of the server.
///
/// # Errors
/// Names each file that uses a module above its own, and modules that have no layer.
pub fn check(root: &Path) -> Result<()> {
    let source = root.join(SOURCE_FOLDER);
    let mut errors = Vec::new();
    for entry in walkdir::WalkDir::new(&source).sort_by_file_name() {
        let entry = entry?;
        let path = entry.path();
        let relative = path.strip_prefix(&source).unwrap_or(path);
        if path.extension().is_none_or(|extension| extension != "rs") || is_test(relative) {
            continue;
        }
        let text = fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
        let module = relative.iter().next().unwrap_or_default().to_string_lossy();
        let module = module.trim_end_matches(".rs");
        if text.contains(LEAD_INDEX) && !LEAD_INDEX_ADAPTERS.iter().any(|adapter| relative.starts_with(adapter)) {
            errors.push(format!("{}: only {LEAD_INDEX_ADAPTERS:?} may use `{LEAD_INDEX}`", relative.display()));
        }
        errors.extend(modules(&text).into_iter().filter_map(|used| {
            let error = dependency_error(module, &used)?;
            Some(format!("{}: {error}", relative.display()))
        }));
    }
    ensure!(errors.is_empty(), "LAYERS in xtask/src/lint/layers.rs is broken:\n       {}", errors.join("\n       "));
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

/// Returns the top-level modules that a file uses outside its tests.
fn modules(text: &str) -> BTreeSet<String> {
    let paths = cycles::paths(&without_tests(text)).into_iter();
    let modules = paths
        .filter(|path| path.first().is_some_and(|root| root == "crate"))
        .filter_map(|path| path.into_iter().nth(1));
    modules.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase())).collect()
}

/// Returns why `module` may not use `used`.
fn dependency_error(module: &str, used: &str) -> Option<String> {
    let layer = |name: &str| LAYERS.iter().position(|layer| layer.contains(&name));
    match (layer(module), layer(used)) {
        _ if module == used => None,
        (Some(from), Some(to)) if from < to => None,
        (Some(_), Some(_)) => Some(format!("`{module}` may not use `{used}`")),
        (None, _) => Some(format!("module `{module}` has no layer")),
        (_, None) => Some(format!("module `{used}` has no layer")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_use_only_lower_layers() {
        assert_eq!(dependency_error("http", "service"), None);
        assert_eq!(dependency_error("storage", "http").as_deref(), Some("`storage` may not use `http`"));
        assert_eq!(dependency_error("demo", "worker").as_deref(), Some("`demo` may not use `worker`"));
        assert_eq!(dependency_error("http", "unlisted").as_deref(), Some("module `unlisted` has no layer"));
    }

    #[test]
    fn finds_used_modules_outside_tests_and_comments() {
        let text = "use crate::{app::{App, b}, clock};\nfn f() { crate::storage::x() } // crate::http\n#[cfg(test)]\nmod tests {\n    use crate::worker;\n}\n";
        assert_eq!(modules(text).into_iter().collect::<Vec<_>>(), ["app", "clock", "storage"]);
    }
}
