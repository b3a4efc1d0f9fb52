//! The admin panel as the server embeds it: web/dist, made from index.html, web/ and the engine.
//!
//! index.html and web/boot.js name their files by placeholders such as `{{panel_js}}`; the names carry a hash of the content, so
//! that everything under assets/ may be cached for ever. No page holds a script or a style of its own, so that a strict
//! Content-Security-Policy fits.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use walkdir::WalkDir;

use crate::assets::Assets;
use crate::inputs::Stamp;
use crate::project::Project;
use crate::wasm::{self, Loader, Unit};

/// All files together, compressed with Brotli: the promise is a first load of at most 700 kB.
const BUDGET: usize = 700_000;

const INPUTS: [&str; 7] =
    ["Cargo.toml", "Cargo.lock", "index.html", "engine/Cargo.toml", "engine/src", "web", "xtask/src"];

/// Builds web/dist, unless it is there and nothing it is made from has changed.
pub fn build(project: &Project) -> Result<()> {
    let web = project.root.join("web");
    let dist = web.join("dist");
    // index.html names every other file by its content.
    let stamp = Stamp::new(project.target.join("panel.stamp"), &project.root, &INPUTS, dist.join("index.html"))?;
    if stamp.is_fresh() {
        println!("the panel is up to date");
        return Ok(());
    }
    stamp.clear()?;

    let module = wasm::compile(project, &Unit::Panel)?;
    let bound = project.target.join("wasm/panel");
    wasm::bind(&module, "panel", Loader::Browser, false, &bound)?;

    let page = read(&project.root.join("index.html"))?;
    let weight = assemble(&page, &web, &bound)?.write(&dist)?;
    if weight.brotli > BUDGET {
        bail!("the panel's files have {} bytes compressed; at most {BUDGET} are promised", weight.brotli);
    }
    stamp.set()
}

/// Puts the panel together from the `page`, the folder `web` and what wasm-bindgen has left in the folder `bound`.
fn assemble(page: &str, web: &Path, bound: &Path) -> Result<Assets> {
    let mut assets = Assets::default();
    add_folder(&mut assets, &web.join("static"), "")?;
    // The script names these by path, and the path names the crate that they come from, with a hash.
    add_folder(&mut assets, &bound.join("snippets"), "assets/snippets/")?;

    let module = assets.add_hashed("panel_bg.wasm", fs::read(bound.join("panel_bg.wasm"))?);
    let script = assets.add_hashed("panel.js", read(&bound.join("panel.js"))?);
    let style = assets.add_hashed("style.css", style(&web.join("style"))?);
    let mut names = vec![("panel_js", script), ("panel_wasm", module), ("style_css", style)];
    for (name, file) in [("boot_js", "boot.js"), ("theme_js", "theme.js")] {
        let script = fill_in(&read(&web.join(file))?, &names)?;
        names.push((name, assets.add_hashed(file, script)));
    }
    assets.add("index.html", fill_in(page, &names)?);
    Ok(assets)
}

/// The style sheets one after the other, in the order of their names.
fn style(dir: &Path) -> Result<String> {
    let mut sheets = Vec::new();
    for entry in fs::read_dir(dir).with_context(|| format!("can't list {}", dir.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "css") {
            sheets.push(path);
        }
    }
    sheets.sort();
    sheets.iter().map(|path| read(path)).collect()
}

fn add_folder(assets: &mut Assets, dir: &Path, prefix: &str) -> Result<()> {
    if !dir.exists() {
        return Ok(());
    }
    for entry in WalkDir::new(dir) {
        let entry = entry?;
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(dir)?.to_str().context("a file of the panel has a name in UTF-8")?;
            assets.add(format!("{prefix}{name}"), fs::read(entry.path())?);
        }
    }
    Ok(())
}

/// Replaces each `{{name}}`; a name that stands for nothing is an error.
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
    fn the_page_names_every_file_by_its_content() {
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
            ("web/boot.js", "import '{{panel_js}}'; load('{{panel_wasm}}')"),
            ("bound/snippets/leptos-1/inline0.js", "export {}"),
            ("bound/panel.js", "script"),
            ("bound/panel_bg.wasm", "module"),
        ] {
            fs::write(dir.path().join(path), content).unwrap();
        }

        let page = "{{style_css}} {{boot_js}} {{panel_js}} {{panel_wasm}} {{theme_js}}";
        let dist = dir.path().join("dist");
        assemble(page, &web, &bound).unwrap().write(&dist).unwrap();

        let index = fs::read_to_string(dist.join("index.html")).unwrap();
        let contents: Vec<_> =
            index.split(' ').map(|name| fs::read_to_string(dist.join("assets").join(name)).unwrap()).collect();
        let names: Vec<_> = index.split(' ').collect();
        assert_eq!(contents[0], "body{}table{}");
        assert_eq!(contents[1], format!("import '{}'; load('{}')", names[2], names[3]));
        assert_eq!(contents[2..], ["script", "module", "theme"]);
        assert!(dist.join("assets/snippets/leptos-1/inline0.js").exists());
        assert!(dist.join("favicon.svg").exists());
    }
}
