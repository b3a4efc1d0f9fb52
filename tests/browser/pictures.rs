//! Writes docs/panel.md: a description of every page, with screenshots.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use super::page::Page;
use super::sights::{self, Screen, Sight, Theme, View};
use super::{assert_panel_is_built, root, stage, visit_for};

/// Image quality in percent. Text stays sharp, and all images together are below 4 MB.
const QUALITY: u32 = 80;

/// Widths in the document in percent: two desktop and two phone images in a row have equal height.
const WIDTHS: [(Screen, f32); 2] = [(Screen::Desk, 38.0), (Screen::Phone, 10.9)];

const HEAD: &str = "\
# The panel

Every page of the panel, with screenshots of the sample data of `cargo xtask serve --demo` and some transcripts, deliveries and an
import. `cargo xtask screenshots` takes them and writes this page.
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "writes docs/panel.md; run it by `cargo xtask screenshots`"]
async fn every_page_has_a_screenshot() {
    assert_panel_is_built();
    let server = stage::server().await;
    let mut pictures = BTreeMap::new();
    visit_for(sights::LONGEST, "pictures", server.base(), async |page| {
        sights::each(page, &Screen::ALL, async |sight, view| {
            forget_what_is_random(page).await;
            pictures.insert(file(sight, view), still_picture(page).await);
        })
        .await;
    })
    .await;
    let (docs, folder) = (root().join("docs"), root().join("docs/panel"));
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    for (name, picture) in &pictures {
        fs::write(folder.join(name), picture).unwrap();
    }
    fs::write(docs.join("panel.md"), document()).unwrap();
    let bytes: usize = pictures.values().map(Vec::len).sum();
    println!("docs/panel.md and {} pictures written, {} kB", pictures.len(), bytes / 1000);
}

/// Returns the file name of a screenshot.
fn file(sight: &Sight, view: View) -> String {
    let View { screen, theme } = view;
    match screen {
        Screen::Desk => format!("{}-{theme}.webp", sight.name),
        Screen::Phone => format!("{}-phone-{theme}.webp", sight.name),
    }
}

/// Replaces texts that are random on each server: prefixes of secrets, and request ids.
async fn forget_what_is_random(page: &Page) {
    let script = r"const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            const text = texts.currentNode;
            const same = text.data
                .replace(/(ls_(tok|key)_)[\w-]{6}/, '$1Wm3kQ9')
                .replace(/^[0-9a-f]{24}$/, '5f0c1d7a92be4e6183ad20c7');
            if (same !== text.data) text.data = same;
        }";
    page.run(script, Value::Null).await;
}

/// Returns a screenshot after two consecutive ones are equal.
async fn still_picture(page: &Page) -> Vec<u8> {
    let mut before = Vec::new();
    loop {
        let picture = page.command("Page.captureScreenshot", json!({ "format": "webp", "quality": QUALITY })).await;
        let picture = BASE64.decode(picture["data"].as_str().unwrap()).unwrap();
        if picture == before {
            return picture;
        }
        before = picture;
        page.run_async("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))", Vec::<Value>::new()).await;
    }
}

fn document() -> String {
    let mut text = HEAD.to_owned();
    for sight in sights::all() {
        write!(text, "\n## {}\n\n{}\n\n<p>\n", sight.title, sight.about).unwrap();
        for (screen, width) in WIDTHS {
            for theme in Theme::ALL {
                let view = View { screen, theme };
                let (title, file) = (sight.title, file(sight, view));
                writeln!(
                    text,
                    "<a href=\"panel/{file}\"><img src=\"panel/{file}\" width=\"{width}%\" alt=\"{title}, {view}\"></a>"
                )
                .unwrap();
            }
        }
        text += "</p>\n";
    }
    text
}
