//! Admin panel for embedding: builds web/dist from index.html, web/ and the engine.
//!
//! index.html and web/boot.js refer to their files by placeholders such as `{{style_css}}`. File names contain a hash
//! of the content, so that everything under assets/ may be cached forever. The program, its chunks and their scripts
//! refer to one another, so they share a folder whose name contains the hash. No page has inline scripts or styles,
//! which permits a strict Content-Security-Policy.

use std::collections::BTreeMap;
use std::fs;
use std::iter;
use std::mem;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use walkdir::WalkDir;

use crate::assets::{Assets, FileSize, print_size};
use crate::build_stamp::BuildStamp;
use crate::dependencies;
use crate::project::Project;
use crate::wasm::{self, WasmCrate};

/// Maximum size of the login page's program and styles with Brotli, as documented.
const MAX_LOGIN_BYTES: usize = 170_000;

/// Maximum size of the heaviest first load of another page with Brotli, as documented.
const MAX_FIRST_LOAD_BYTES: usize = 653_000;

/// wasm-split's script.
const LOADER: &str = "__wasm_split.js";

/// Chunk that no page needs at first.
const DEFERRED_CHUNK: &str = "dialogs";

/// Name of the folder with Swagger UI, which only the API reference loads.
const SWAGGER_UI: &str = "swagger-ui";

/// Files of the crate `swagger_ui_dist` to embed. They equal those of the npm package of the same name and version.
const SWAGGER_UI_FILES: [&str; 2] = ["swagger-ui-bundle.js", "swagger-ui.css"];

/// Files that each chunk of the panel needs in addition to the shared ones.
type ChunkFiles = BTreeMap<String, Vec<String>>;

/// Path and chunk of each page of the panel.
const PAGES: &[(&str, &str)] = {
    macro_rules! pages {
        (chunks: $($any:ident),+; $($name:ident: $path:literal, $($page:ident)::+, in chunk $chunk:ident $(, entry $entry:tt)?;)+) => {
            &[$(($path, stringify!($chunk))),+]
        };
    }
    include!("../../web/src/routes/table.rs")
};

const INPUT_PATHS: [&str; 7] =
    ["Cargo.toml", "Cargo.lock", "index.html", "engine/Cargo.toml", "engine/src", "web", "xtask/src"];

/// Builds web/dist unless it is up to date.
pub fn build(project: &Project) -> Result<()> {
    let web = project.root.join("web");
    let dist = web.join("dist");
    // index.html contains the hashed name of every other file.
    let stamp =
        BuildStamp::new(project.target_dir.join("panel.stamp"), &project.root, &INPUT_PATHS, dist.join("index.html"))?;
    if stamp.is_up_to_date() {
        println!("the panel is up to date");
        return Ok(());
    }
    stamp.remove()?;

    let module = wasm::compile(project, &WasmCrate::Panel)?;
    let bindgen_dir = project.target_dir.join("wasm/panel");
    let chunks = wasm::bind_split(&module, "panel", &bindgen_dir)?;

    let page = read_text(&project.root.join("index.html"))?;
    let swagger_ui = dependencies::crate_folder(project, "swagger-ui-dist")?.join("assets");
    let assets = assemble(&page, &web, &bindgen_dir, &swagger_ui, &chunks)?;
    let sizes = assets.write(&dist)?;
    let first_loads = first_load_sizes(&sizes, &chunks);
    let first_loads =
        first_loads.into_iter().map(|(chunk, size)| (format!("first load of {chunk}"), size, MAX_FIRST_LOAD_BYTES));
    let login = ("login page".to_owned(), login_size(&sizes, &chunks), MAX_LOGIN_BYTES);
    let loads: Vec<_> = iter::once(login).chain(first_loads).collect();
    for (description, size, _) in &loads {
        print_size(description, *size);
    }
    for (description, size, max_bytes) in loads {
        let bytes = size.brotli;
        ensure!(bytes <= max_bytes, "the {description} has {bytes} bytes after Brotli; the limit is {max_bytes}");
    }
    stamp.write()
}

/// Returns the size of the files that every page needs. The login page needs no others.
fn login_size(sizes: &BTreeMap<&str, FileSize>, chunks: &ChunkFiles) -> FileSize {
    sizes.iter().filter(|(path, _)| !is_in_chunk(path, chunks)).map(|(_, size)| *size).sum()
}

/// Returns the size of the first load for a page of each chunk: the files of the login page, and the pack of the chunk.
fn first_load_sizes<'a>(sizes: &BTreeMap<&str, FileSize>, chunks: &'a ChunkFiles) -> Vec<(&'a str, FileSize)> {
    let load_size = |chunk: &str| {
        let pack = pack_name(chunk);
        let pack_size = sizes.iter().filter(|(path, _)| path.ends_with(&pack)).map(|(_, size)| *size);
        iter::once(login_size(sizes, chunks)).chain(pack_size).sum()
    };
    chunks.keys().filter(|chunk| *chunk != DEFERRED_CHUNK).map(|chunk| (chunk.as_str(), load_size(chunk))).collect()
}

/// True if a file belongs to a chunk or to the API reference, so that the login page doesn't need it.
fn is_in_chunk(path: &str, chunks: &ChunkFiles) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    path.contains(SWAGGER_UI)
        || chunks.iter().any(|(chunk, modules)| name == pack_name(chunk) || modules.iter().any(|module| name == module))
}

/// Assembles the panel from the `page`, the folders `web` and `swagger_ui`, and wasm-bindgen's output in `bindgen_dir`
/// with these chunks.
fn assemble(page: &str, web: &Path, bindgen_dir: &Path, swagger_ui: &Path, chunks: &ChunkFiles) -> Result<Assets> {
    let mut assets = Assets::default();
    for (path, content) in read_files(&web.join("static"))? {
        assets.add(path, content);
    }
    let mut program_files = read_files(bindgen_dir)?;
    for (_, script) in program_files.iter_mut().filter(|(name, _)| name.ends_with(".js")) {
        *script = minify_script(&String::from_utf8(mem::take(script))?)?.into();
    }
    let packs = add_packs(&mut program_files, chunks)?;
    if let Some(loader) = program_files.get_mut(LOADER) {
        let prologue = fill_placeholders(&read_text(&web.join("module_packs.js"))?, &[("packs", packs)])?;
        *loader = (minify_script(&prologue)? + &use_packs(&String::from_utf8(mem::take(loader))?)?).into();
    }
    let panel_dir = assets.add_hashed_folder("panel", &program_files);
    let style_name = assets.add_hashed("style.css", joined_style(&web.join("style"))?);
    let swagger_ui_dir = assets.add_hashed_folder(SWAGGER_UI, &swagger_ui_files(swagger_ui)?);
    let pages = serde_json::to_string(PAGES)?;
    let mut placeholders =
        vec![("panel", panel_dir), ("style_css", style_name), ("swagger_ui", swagger_ui_dir), ("pages", pages)];
    for (name, file) in [
        ("api_reference_js", "api_reference.js"),
        ("boot_js", "boot.js"),
        ("preload_js", "preload.js"),
        ("theme_js", "theme.js"),
    ] {
        let script = fill_placeholders(&read_text(&web.join(file))?, &placeholders)?;
        placeholders.push((name, assets.add_hashed(file, script)));
    }
    assets.add("index.html", fill_placeholders(page, &placeholders)?);
    Ok(assets)
}

/// Returns Swagger UI's files from the folder `dir`.
fn swagger_ui_files(dir: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let read = |name: &str| Ok((name.to_owned(), read_text(&dir.join(name))?.into()));
    SWAGGER_UI_FILES.into_iter().map(read).collect()
}

/// Adds a pack for each chunk of a page: a file with all its modules. Returns their positions as JSON.
fn add_packs(program_files: &mut BTreeMap<String, Vec<u8>>, chunks: &ChunkFiles) -> Result<String> {
    let mut packs = BTreeMap::new();
    for (chunk, modules) in chunks.iter().filter(|(chunk, _)| *chunk != DEFERRED_CHUNK) {
        let (mut pack, mut positions) = (Vec::new(), Vec::new());
        for module in modules {
            let start = pack.len();
            pack.extend(program_files.get(module).with_context(|| format!("{module} is missing"))?);
            positions.push((module, start, pack.len()));
        }
        program_files.insert(pack_name(chunk), pack);
        packs.insert(chunk, positions);
    }
    Ok(serde_json::to_string(&packs)?)
}

fn pack_name(chunk: &str) -> String {
    format!("pack_{chunk}.bin")
}

/// Changes wasm-split's script so that it loads modules from packs; see web/module_packs.js.
fn use_packs(script: &str) -> Result<String> {
    const EXPORT: &str = "export const __wasm_split_load_";
    const DEPENDENCIES: &str = ", [";
    let with_fetch_module =
        script.replace("fetch(new URL(\"./", "fetchModule(\"").replace("\", import.meta.url))", "\")");
    let (mut chunk, mut changed) = (None, String::new());
    for line in with_fetch_module.lines() {
        if let Some(rest) = line.strip_prefix(EXPORT) {
            chunk = rest.split(' ').next();
        }
        match line.strip_prefix(DEPENDENCIES).zip(chunk) {
            // The pack is opened before the modules that the chunk depends on.
            Some((rest, name)) => {
                changed += &format!("{DEPENDENCIES}() => openPack(\"{name}\"), {rest}\n");
                chunk = None;
            }
            None => changed += &format!("{line}\n"),
        }
    }
    ensure!(
        changed.contains("openPack") && changed.contains("fetchModule"),
        "wasm-split's script has an unexpected form"
    );
    Ok(changed)
}

/// Joins the style sheets in the order of their names, without comments and indentation, which make up a third of them.
fn joined_style(dir: &Path) -> Result<String> {
    let mut sheets = Vec::new();
    for entry in fs::read_dir(dir).with_context(|| format!("can't list {}", dir.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "css") {
            sheets.push(path);
        }
    }
    sheets.sort();
    sheets.iter().map(|path| Ok(strip_indentation(&strip_comments(&read_text(path)?)?))).collect()
}

/// Removes comments and the blanks before them from a style sheet.
fn strip_comments(sheet: &str) -> Result<String> {
    let mut fragments = sheet.split("/*");
    let mut stripped = fragments.next().unwrap_or_default().to_owned();
    for fragment in fragments {
        let (_, rest) = fragment.split_once("*/").context("a comment in a style sheet has no end")?;
        stripped.truncate(stripped.trim_end().len());
        stripped.push_str(rest);
    }
    Ok(stripped)
}

/// Removes indentation and whole-line comments from wasm-bindgen's script.
fn minify_script(script: &str) -> Result<String> {
    let mut is_comment = false;
    let mut stripped = String::new();
    for line in script.lines() {
        // Blanks matter in a template literal over several lines.
        ensure!(line.matches('`').count().is_multiple_of(2), "a template literal continues on the next line: {line}");
        let in_comment = is_comment || line.trim_start().starts_with("/*");
        is_comment = in_comment && !line.contains("*/");
        if !in_comment && !line.trim_start().starts_with("//") {
            stripped.push_str(line);
            stripped.push('\n');
        }
    }
    Ok(strip_indentation(&stripped))
}

/// Returns the non-empty lines without leading and trailing blanks.
fn strip_indentation(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Returns all files under `dir`, by relative path.
fn read_files(dir: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in WalkDir::new(dir) {
        let entry = entry?;
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(dir)?.to_str().context("a file name of the panel isn't UTF-8")?;
            files.insert(name.to_owned(), fs::read(entry.path())?);
        }
    }
    Ok(files)
}

/// Replaces each `{{name}}`. An unknown name is an error.
fn fill_placeholders(template: &str, names: &[(&str, String)]) -> Result<String> {
    let filled =
        names.iter().fold(template.to_owned(), |text, (name, value)| text.replace(&format!("{{{{{name}}}}}"), value));
    if let Some((_, remaining)) = filled.split_once("{{") {
        let unknown = remaining.split("}}").next().unwrap_or(remaining);
        let known_names: Vec<_> = names.iter().map(|(name, _)| *name).collect();
        bail!("unknown placeholder {{{{{unknown}}}}}; expected one of {}", known_names.join(", "));
    }
    Ok(filled)
}

fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_in() {
        let names = [("a", "one".to_owned()), ("b", "two".to_owned())];
        assert_eq!(fill_placeholders("<{{a}} {{b}} {{a}}>", &names).unwrap(), "<one two one>");
        let error = fill_placeholders("<{{c}}>", &names).unwrap_err();
        assert_eq!(error.to_string(), "unknown placeholder {{c}}; expected one of a, b");
    }

    #[test]
    fn style_sheet_comments_are_removed() {
        let stripped = strip_comments("/* one\n * two */\n\na {\n  /* three */\n  b: c; /* four */\n}\n").unwrap();
        assert_eq!(stripped, "\n\na {\n  b: c;\n}\n");
        assert_eq!(strip_comments("a { b: c }").unwrap(), "a { b: c }");
        strip_comments("a /* b").unwrap_err();
    }

    #[test]
    fn indentation_is_removed() {
        assert_eq!(strip_indentation("a {\n  b: c;\n\n  d: e; \n}"), "a {\nb: c;\nd: e;\n}\n");
        let script = "/* one */\nexport class A {\n    /**\n     * two\n     */\n    b(c) {\n        // three\n        return c * `${c}`;\n    }\n}\n";
        assert_eq!(minify_script(script).unwrap(), "export class A {\nb(c) {\nreturn c * `${c}`;\n}\n}\n");
        let error = minify_script("a = `one\n  two`;").unwrap_err();
        assert_eq!(error.to_string(), "a template literal continues on the next line: a = `one");
    }

    #[test]
    fn page_refers_to_hashed_file_names() {
        let dir = tempfile::tempdir().unwrap();
        let (web, bindgen_dir) = (dir.path().join("web"), dir.path().join("bound"));
        for folder in ["web/static", "web/style", "swagger-ui", "bound/snippets/leptos-1"] {
            fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        for (path, content) in [
            ("web/static/favicon.svg", "<svg/>"),
            ("web/style/20-table.css", "table{}"),
            ("web/style/10-base.css", "body{}"),
            ("web/theme.js", "theme"),
            ("web/api_reference.js", "import './{{swagger_ui}}'"),
            ("swagger-ui/swagger-ui-bundle.js", "library"),
            ("swagger-ui/swagger-ui.css", "library{}"),
            ("web/boot.js", "import './{{panel}}/panel.js'"),
            ("web/preload.js", "{{panel}}"),
            ("web/module_packs.js", "{{packs}};"),
            ("bound/split_leads.wasm", "leads"),
            (
                "bound/__wasm_split.js",
                "fetch(new URL(\"./a.wasm\", import.meta.url))\nexport const __wasm_split_load_leads = a(\n, [b]);\n",
            ),
            ("bound/snippets/leptos-1/inline0.js", "export {}"),
            ("bound/panel.js", "script"),
            ("bound/panel_bg.wasm", "module"),
        ] {
            fs::write(dir.path().join(path), content).unwrap();
        }

        let page = "{{style_css}} {{boot_js}} {{theme_js}} {{panel}}/panel.js {{panel}}/panel_bg.wasm {{preload_js}} \
            {{swagger_ui}}/swagger-ui-bundle.js {{swagger_ui}}/swagger-ui.css {{api_reference_js}}";
        let chunks = ChunkFiles::from([("leads".to_owned(), vec!["split_leads.wasm".to_owned()])]);
        let dist = dir.path().join("dist");
        assemble(page, &web, &bindgen_dir, &dir.path().join("swagger-ui"), &chunks).unwrap().write(&dist).unwrap();

        let index = fs::read_to_string(dist.join("index.html")).unwrap();
        let contents: Vec<_> =
            index.split(' ').map(|name| fs::read_to_string(dist.join("assets").join(name)).unwrap()).collect();
        let names: Vec<_> = index.split(' ').collect();
        assert_eq!(contents[0], "body{}\ntable{}\n");
        assert_eq!(contents[1], format!("import './{}'", names[3]));
        let panel = dist.join("assets").join(names[3]).parent().unwrap().to_owned();
        let panel_name = panel.file_name().unwrap().to_str().unwrap();
        assert_eq!(contents[2..6], ["theme", "script\n", "module", panel_name]);
        let swagger_ui = names[6].split('/').next().unwrap();
        assert_eq!(contents[6..], ["library", "library{}", &format!("import './{swagger_ui}'")]);
        assert_eq!(fs::read_to_string(panel.join("pack_leads.bin")).unwrap(), "leads");
        let loader = "{\"leads\":[[\"split_leads.wasm\",0,5]]};\nfetchModule(\"a.wasm\")\n\
            export const __wasm_split_load_leads = a(\n, [() => openPack(\"leads\"), b]);\n";
        assert_eq!(fs::read_to_string(panel.join("__wasm_split.js")).unwrap(), loader);
        assert!(panel.join("snippets/leptos-1/inline0.js").exists());
        assert!(dist.join("favicon.svg").exists());
    }

    #[test]
    fn first_load_includes_shared_files_and_one_pack() {
        let size_of = |brotli| FileSize { brotli, ..FileSize::default() };
        let sizes = BTreeMap::from([
            ("index.html", size_of(1)),
            ("assets/panel-1/panel_bg.wasm", size_of(10)),
            ("assets/panel-1/chunk_0.wasm", size_of(100)),
            ("assets/panel-1/calls.wasm", size_of(1_000)),
            ("assets/panel-1/leads.wasm", size_of(1_050)),
            ("assets/panel-1/pack_calls.bin", size_of(900)),
            ("assets/panel-1/pack_leads.bin", size_of(1_000)),
        ]);
        let chunks = [("calls", ["chunk_0.wasm", "calls.wasm"].as_slice()), ("leads", &["leads.wasm"])];
        let to_owned_files = |files: &[&str]| files.iter().map(|file| (*file).to_owned()).collect();
        let chunks: ChunkFiles =
            chunks.into_iter().map(|(chunk, files)| (chunk.to_owned(), to_owned_files(files))).collect();
        let loads: Vec<_> =
            first_load_sizes(&sizes, &chunks).into_iter().map(|(chunk, size)| (chunk, size.brotli)).collect();
        assert_eq!(loads, [("calls", 911), ("leads", 1_011)]);
        assert_eq!(login_size(&sizes, &chunks).brotli, 11);
    }
}
