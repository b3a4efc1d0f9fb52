//! Import cycles: the modules of a folder must not import one another, directly or through others. Their parent is
//! exempt.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use anyhow::{Context, Result, ensure};
use regex::Regex;

use super::layers::{is_test, without_tests};

/// Folders to check.
const FOLDERS: &[&str] = &[
    "engine/src/callable",
    "engine/src/csv",
    "engine/src/filter",
    "engine/src/record",
    "engine/src/transcript_search",
    "engine/src/zone",
    "server/lead-index/src",
    "server/lead-index/src/column",
    "server/src/storage/sql",
];

static USE_PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\buse\s+([^;]+);").expect("valid pattern"));
static PATH_PATTERN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(?:crate|super)(?:::\w+)+").expect("valid pattern"));

/// Checks all folders.
///
/// # Errors
/// Names the modules that form cycles, with their imports.
pub fn check(root: &Path) -> Result<()> {
    let mut errors = Vec::new();
    for folder in FOLDERS {
        let imports = cyclic_imports(imports(root, folder)?);
        errors.extend(imports.iter().map(|(module, used)| format!("{folder}: `{module}` uses {used:?}")));
    }
    ensure!(errors.is_empty(), "modules import one another:\n       {}", errors.join("\n       "));
    Ok(())
}

type Imports = BTreeMap<String, BTreeSet<String>>;

/// Returns the modules of a folder, each with those that it imports.
fn imports(root: &Path, folder: &str) -> Result<Imports> {
    let path = root.join(folder);
    let module = folder.split_once("src").map_or("", |(_, module)| module);
    let folder_path: Vec<&str> = module.split('/').filter(|name| !name.is_empty()).collect();
    let (mut files, mut parent) = (Vec::new(), String::new());
    for entry in walkdir::WalkDir::new(&path).sort_by_file_name() {
        let entry = entry?;
        let relative = entry.path().strip_prefix(&path)?;
        let name = relative.with_extension("");
        let mut names: Vec<_> = name.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        if relative.extension().is_none_or(|extension| extension != "rs") || is_test(relative) {
            continue;
        }
        let text =
            fs::read_to_string(entry.path()).with_context(|| format!("can't read {}", entry.path().display()))?;
        names.pop_if(|name| matches!(name.as_str(), "mod" | "lib"));
        match names.is_empty() {
            true => parent = without_tests(&text),
            false => files.push((names, without_tests(&text))),
        }
    }
    let mut imports: Imports = files.iter().map(|(names, _)| (names[0].clone(), BTreeSet::new())).collect();
    // Modules by the names that the parent imports from them.
    let re_exports: BTreeMap<String, String> = use_paths(&parent)
        .into_iter()
        .filter(|path| path.len() > 1 && imports.contains_key(&path[0]))
        .map(|path| (path[path.len() - 1].clone(), path[0].clone()))
        .collect();
    for (names, text) in &files {
        for path in paths(text) {
            let Some(name) = module_in_folder(&path, names.len(), &folder_path) else { continue };
            let used = if imports.contains_key(name) { Some(name) } else { re_exports.get(name) };
            if let Some(used) = used.filter(|used| **used != names[0]).cloned() {
                imports.entry(names[0].clone()).or_default().insert(used);
            }
        }
    }
    Ok(imports)
}

/// Returns the module of the folder that an imported path leads to; `None` if it leads elsewhere. `depth` is the depth
/// of the importing file below the folder.
fn module_in_folder<'p>(path: &'p [String], depth: usize, folder_path: &[&str]) -> Option<&'p String> {
    let supers = path.iter().take_while(|name| *name == "super").count();
    if supers > 0 {
        return if supers == depth { path.get(supers) } else { None };
    }
    let (root, names) = path.split_first()?;
    (root == "crate" && names.len() > folder_path.len() && names.iter().zip(folder_path).all(|(a, b)| a == b))
        .then(|| &names[folder_path.len()])
}

/// Returns the paths that a text uses.
pub(super) fn paths(text: &str) -> Vec<Vec<String>> {
    let mut paths = use_paths(text);
    paths.extend(PATH_PATTERN.find_iter(text).map(|path| path.as_str().split("::").map(str::to_owned).collect()));
    paths
}

/// Returns the paths of all `use` declarations.
fn use_paths(text: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    USE_PATTERN.captures_iter(text).for_each(|captures| expand(&captures[1], &[], &mut paths));
    paths
}

fn expand(tree: &str, prefix: &[String], paths: &mut Vec<Vec<String>>) {
    let (start, group) = match tree.split_once('{') {
        Some((start, group)) => (start, group.trim_end().strip_suffix('}')),
        None => (tree, None),
    };
    let names = start.split(" as ").next().unwrap_or_default().split("::").map(str::trim);
    let path: Vec<String> =
        prefix.iter().cloned().chain(names.filter(|name| !matches!(*name, "" | "self")).map(str::to_owned)).collect();
    let Some(group) = group else { return paths.push(path) };
    let mut depth = 0;
    let parts = group.split(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    parts.filter(|part| !part.trim().is_empty()).for_each(|part| expand(part.trim(), &path, paths));
}

/// Returns the imports between modules that are in a cycle, or between cycles.
fn cyclic_imports(mut imports: Imports) -> Imports {
    loop {
        let used: BTreeSet<String> = imports.values().flatten().cloned().collect();
        let count = imports.len();
        imports.retain(|module, uses| !uses.is_empty() && used.contains(module));
        if imports.len() == count {
            return imports;
        }
        let remaining: BTreeSet<String> = imports.keys().cloned().collect();
        imports.values_mut().for_each(|uses| uses.retain(|used| remaining.contains(used)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports_of(edges: &[(&str, &[&str])]) -> Imports {
        let to_set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        edges.iter().map(|(module, names)| ((*module).to_owned(), to_set(names))).collect()
    }

    #[test]
    fn finds_cycles_only() {
        let acyclic = imports_of(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])]);
        assert_eq!(cyclic_imports(acyclic), Imports::new());
        let with_cycle = imports_of(&[("a", &["b"]), ("b", &["c"]), ("c", &["b", "d"]), ("d", &[])]);
        assert_eq!(cyclic_imports(with_cycle), imports_of(&[("b", &["c"]), ("c", &["b"])]));
    }

    #[test]
    fn resolves_paths_to_modules_of_the_folder() {
        let paths = use_paths("use super::{a::{self, B as C}, super::d};\npub use crate::folder::e::F;");
        let names: Vec<_> =
            paths.iter().map(|path| module_in_folder(path, 1, &["folder"]).map(String::as_str)).collect();
        assert_eq!(names, [Some("a"), Some("a"), None, Some("e")]);
    }
}
