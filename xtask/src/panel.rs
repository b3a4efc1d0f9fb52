//! Admin panel for embedding: builds web/dist from index.html, web/ and the engine.
//!
//! index.html and web/boot.js refer to their files by placeholders such as `{{style_css}}`. File names contain a hash
//! of the content, so that everything under assets/ may be cached for ever. The program, its chunks and their scripts
//! refer to one another, so they share a folder whose name contains the hash. No page has inline scripts or styles,
//! which permits a strict Content-Security-Policy.

use std::collections::BTreeMap;
use std::fs;
use std::mem;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use walkdir::WalkDir;

use crate::assets::{Assets, Weight, print_weight};
use crate::inputs::Stamp;
use crate::project::Project;
use crate::wasm::{self, Unit};

/// Maximum size of the heaviest first load with Brotli, as documented: 715 kB.
const BUDGET: usize = 715_000;

/// Chunk that no page needs at first.
const LATER: &str = "dialogs";

/// Files that each chunk of the panel needs in addition to the shared ones.
type Parts = BTreeMap<String, Vec<String>>;

const INPUTS: [&str; 7] =
    ["Cargo.toml", "Cargo.lock", "index.html", "engine/Cargo.toml", "engine/src", "web", "xtask/src"];

/// Builds web/dist unless it is up to date.
pub fn build(project: &Project) -> Result<()> {
    let web = project.root.join("web");
    let dist = web.join("dist");
    // index.html contains the hashed name of every other file.
    let stamp = Stamp::new(project.target.join("panel.stamp"), &project.root, &INPUTS, dist.join("index.html"))?;
    if stamp.is_fresh() {
        println!("the panel is up to date");
        return Ok(());
    }
    stamp.clear()?;

    let module = wasm::compile(project, &Unit::Panel)?;
    let bound = project.target.join("wasm/panel");
    let parts = wasm::bind_parted(&module, "panel", &bound)?;

    let page = read(&project.root.join("index.html"))?;
    let assets = assemble(&page, &web, &bound, &parts)?;
    let weights = assets.write(&dist)?;
    let loads = first_loads(&weights, &parts);
    for (part, load) in &loads {
        print_weight(&format!("first load of {part}"), *load);
    }
    let (part, heaviest) = loads.iter().max_by_key(|(_, load)| load.brotli).context("the panel has no parts")?;
    if heaviest.brotli > BUDGET {
        bail!("the first load of {part} has {} bytes compressed; at most {BUDGET} are promised", heaviest.brotli);
    }
    stamp.set()
}

/// Returns the size of the first load for a page of each chunk.
fn first_loads<'a>(weights: &BTreeMap<&str, Weight>, parts: &'a Parts) -> Vec<(&'a str, Weight)> {
    let is_of = |path: &str, files: &[String]| files.iter().any(|file| path.rsplit('/').next() == Some(file));
    let needed = |path: &str, part: &str| is_of(path, &parts[part]) || !parts.values().any(|files| is_of(path, files));
    let load = |part: &str| weights.iter().filter(|(path, _)| needed(path, part)).map(|(_, weight)| *weight).sum();
    parts.keys().filter(|part| *part != LATER).map(|part| (part.as_str(), load(part))).collect()
}

/// Assembles the panel from the `page`, the folder `web` and wasm-bindgen's output in `bound` with these chunks.
fn assemble(page: &str, web: &Path, bound: &Path, parts: &Parts) -> Result<Assets> {
    let mut assets = Assets::default();
    for (path, content) in files(&web.join("static"))? {
        assets.add(path, content);
    }
    let mut program = files(bound)?;
    for (_, script) in program.iter_mut().filter(|(name, _)| name.ends_with(".js")) {
        *script = bare_script(&String::from_utf8(mem::take(script))?)?.into();
    }
    let panel = assets.add_hashed_folder("panel", &program);
    let style = assets.add_hashed("style.css", style(&web.join("style"))?);
    let mut names = vec![("panel", panel), ("style_css", style), ("parts", serde_json::to_string(parts)?)];
    for (name, file) in [("boot_js", "boot.js"), ("preload_js", "preload.js"), ("theme_js", "theme.js")] {
        let script = fill_in(&read(&web.join(file))?, &names)?;
        names.push((name, assets.add_hashed(file, script)));
    }
    assets.add("index.html", fill_in(page, &names)?);
    Ok(assets)
}

/// Joins the style sheets in the order of their names, without comments and indentation, which make up a third of them.
fn style(dir: &Path) -> Result<String> {
    let mut sheets = Vec::new();
    for entry in fs::read_dir(dir).with_context(|| format!("can't list {}", dir.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "css") {
            sheets.push(path);
        }
    }
    sheets.sort();
    sheets.iter().map(|path| Ok(without_indentation(&without_comments(&read(path)?)?))).collect()
}

/// Removes comments and the blanks before them from a style sheet.
fn without_comments(sheet: &str) -> Result<String> {
    let mut parts = sheet.split("/*");
    let mut bare = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_, after) = part.split_once("*/").context("a comment in a style sheet has no end")?;
        bare.truncate(bare.trim_end().len());
        bare.push_str(after);
    }
    Ok(bare)
}

/// Removes indentation and whole-line comments from wasm-bindgen's script.
fn bare_script(script: &str) -> Result<String> {
    let mut is_comment = false;
    let mut bare = String::new();
    for line in script.lines() {
        // Blanks matter in a template literal over several lines.
        ensure!(line.matches('`').count().is_multiple_of(2), "a text of a script goes on in the next line: {line}");
        let was_comment = is_comment || line.trim_start().starts_with("/*");
        is_comment = was_comment && !line.contains("*/");
        if !was_comment && !line.trim_start().starts_with("//") {
            bare.push_str(line);
            bare.push('\n');
        }
    }
    Ok(without_indentation(&bare))
}

/// Returns the non-empty lines without leading and trailing blanks.
fn without_indentation(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Returns all files under `dir`, by relative path.
fn files(dir: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in WalkDir::new(dir) {
        let entry = entry?;
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(dir)?.to_str().context("a file of the panel has a name in UTF-8")?;
            files.insert(name.to_owned(), fs::read(entry.path())?);
        }
    }
    Ok(files)
}

/// Replaces each `{{name}}`. An unknown name is an error.
fn fill_in(template: &str, names: &[(&str, String)]) -> Result<String> {
    let filled =
        names.iter().fold(template.to_owned(), |text, (name, value)| text.replace(&format!("{{{{{name}}}}}"), value));
    if let Some((_, rest)) = filled.split_once("{{") {
        let unknown = rest.split("}}").next().unwrap_or(rest);
        let known: Vec<_> = names.iter().map(|(name, _)| *name).collect();
        bail!("unknown placeholder {{{{{unknown}}}}}; expected one of {}", known.join(", "));
    }
    Ok(filled)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_in() {
        let names = [("a", "one".to_owned()), ("b", "two".to_owned())];
        assert_eq!(fill_in("<{{a}} {{b}} {{a}}>", &names).unwrap(), "<one two one>");
        let error = fill_in("<{{c}}>", &names).unwrap_err();
        assert_eq!(error.to_string(), "unknown placeholder {{c}}; expected one of a, b");
    }

    #[test]
    fn style_sheet_comments_are_removed() {
        let bare = without_comments("/* one\n * two */\n\na {\n  /* three */\n  b: c; /* four */\n}\n").unwrap();
        assert_eq!(bare, "\n\na {\n  b: c;\n}\n");
        assert_eq!(without_comments("a { b: c }").unwrap(), "a { b: c }");
        without_comments("a /* b").unwrap_err();
    }

    #[test]
    fn indentation_is_removed() {
        assert_eq!(without_indentation("a {\n  b: c;\n\n  d: e; \n}"), "a {\nb: c;\nd: e;\n}\n");
        let script = "/* one */\nexport class A {\n    /**\n     * two\n     */\n    b(c) {\n        // three\n        return c * `${c}`;\n    }\n}\n";
        assert_eq!(bare_script(script).unwrap(), "export class A {\nb(c) {\nreturn c * `${c}`;\n}\n}\n");
        let error = bare_script("a = `one\n  two`;").unwrap_err();
        assert_eq!(error.to_string(), "a text of a script goes on in the next line: a = `one");
    }

    #[test]
    fn page_refers_to_hashed_file_names() {
        let dir = tempfile::tempdir().unwrap();
        let (web, bound) = (dir.path().join("web"), dir.path().join("bound"));
        for folder in ["web/static", "web/style", "bound/snippets/leptos-1"] {
            fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        for (path, content) in [
            ("web/static/favicon.svg", "<svg/>"),
            ("web/style/20-table.css", "table{}"),
            ("web/style/10-base.css", "body{}"),
            ("web/theme.js", "theme"),
            ("web/boot.js", "import './{{panel}}/panel.js'"),
            ("web/preload.js", "{{parts}}"),
            ("bound/snippets/leptos-1/inline0.js", "export {}"),
            ("bound/panel.js", "script"),
            ("bound/panel_bg.wasm", "module"),
        ] {
            fs::write(dir.path().join(path), content).unwrap();
        }

        let page = "{{style_css}} {{boot_js}} {{theme_js}} {{panel}}/panel.js {{panel}}/panel_bg.wasm {{preload_js}}";
        let parts = Parts::from([("leads".to_owned(), vec!["split_leads.wasm".to_owned()])]);
        let dist = dir.path().join("dist");
        assemble(page, &web, &bound, &parts).unwrap().write(&dist).unwrap();

        let index = fs::read_to_string(dist.join("index.html")).unwrap();
        let contents: Vec<_> =
            index.split(' ').map(|name| fs::read_to_string(dist.join("assets").join(name)).unwrap()).collect();
        let names: Vec<_> = index.split(' ').collect();
        assert_eq!(contents[0], "body{}\ntable{}\n");
        assert_eq!(contents[1], format!("import './{}'", names[3]));
        assert_eq!(contents[2..], ["theme", "script\n", "module", r#"{"leads":["split_leads.wasm"]}"#]);
        let panel = dist.join("assets").join(names[3]).parent().unwrap().to_owned();
        assert!(panel.join("snippets/leptos-1/inline0.js").exists());
        assert!(dist.join("favicon.svg").exists());
    }

    #[test]
    fn first_load_has_shared_files_and_its_chunk() {
        let weight = |brotli| Weight { brotli, ..Weight::default() };
        let weights = BTreeMap::from([
            ("index.html", weight(1)),
            ("assets/panel-1/panel_bg.wasm", weight(10)),
            ("assets/panel-1/chunk_0.wasm", weight(100)),
            ("assets/panel-1/calls.wasm", weight(1_000)),
            ("assets/panel-1/leads.wasm", weight(1_050)),
        ]);
        let parts = [("calls", ["chunk_0.wasm", "calls.wasm"].as_slice()), ("leads", &["leads.wasm"])];
        let owned = |files: &[&str]| files.iter().map(|file| (*file).to_owned()).collect();
        let parts: Parts = parts.into_iter().map(|(part, files)| (part.to_owned(), owned(files))).collect();
        let loads: Vec<_> = first_loads(&weights, &parts).into_iter().map(|(part, load)| (part, load.brotli)).collect();
        assert_eq!(loads, [("calls", 1_111), ("leads", 1_061)]);
    }
}
