//! Writes docs/panel.md: a description of every page, with screenshots.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use super::page::Page;
use super::scenes::{self, Scene, Screen, Theme, View};
use super::{assert_panel_is_built, demo_server, project_dir, run_in_browser_within};

/// Image quality in percent. Text stays sharp, and all images together are about 5 MB.
const WEBP_QUALITY: u32 = 80;

/// Widths in the document in percent: two desktop and two phone images in a row have equal height.
const IMAGE_WIDTHS: [(Screen, f32); 2] = [(Screen::Desktop, 38.0), (Screen::Phone, 10.9)];

const DOCUMENT_HEADER: &str = "\
# The panel

Every page of the panel, with screenshots of the sample data of `cargo xtask serve --demo` and some transcripts, deliveries and an
import. `cargo xtask screenshots` takes them and writes this page.
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "writes docs/panel.md; run it with `cargo xtask screenshots`"]
async fn every_page_has_a_screenshot() {
    assert_panel_is_built();
    let server = demo_server::start_server().await;
    let mut screenshots = BTreeMap::new();
    run_in_browser_within(scenes::ALL_SCENES_TIMEOUT, "every_page_has_a_screenshot", server.base(), async |page| {
        scenes::visit_each(page, &Screen::ALL, async |scene, view| {
            replace_random_texts(page).await;
            screenshots.insert(screenshot_file_name(scene, view), stable_screenshot(page).await);
        })
        .await;
    })
    .await;
    let (docs, folder) = (project_dir().join("docs"), project_dir().join("docs/panel"));
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    for (name, screenshot) in &screenshots {
        fs::write(folder.join(name), screenshot).unwrap();
    }
    fs::write(docs.join("panel.md"), panel_document()).unwrap();
    let bytes: usize = screenshots.values().map(Vec::len).sum();
    println!("docs/panel.md and {} screenshots written, {} kB", screenshots.len(), bytes / 1000);
}

fn screenshot_file_name(scene: &Scene, view: View) -> String {
    let View { screen, theme } = view;
    match screen {
        Screen::Desktop => format!("{}-{theme}.webp", scene.name),
        Screen::Phone => format!("{}-phone-{theme}.webp", scene.name),
    }
}

/// Replaces texts that are random on each server: prefixes of secrets, and request ids.
async fn replace_random_texts(page: &Page) {
    let script = r"const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            const text = texts.currentNode;
            const replaced = text.data
                .replace(/(ls_(tok|key)_)[\w-]{6}/, '$1Wm3kQ9')
                .replace(/^[0-9a-f]{24}$/, '5f0c1d7a92be4e6183ad20c7');
            if (replaced !== text.data) text.data = replaced;
        }";
    page.run_script(script, Value::Null).await;
}

/// Returns a screenshot after two consecutive ones are equal.
async fn stable_screenshot(page: &Page) -> Vec<u8> {
    let mut previous = Vec::new();
    loop {
        let screenshot =
            page.devtools_command("Page.captureScreenshot", json!({ "format": "webp", "quality": WEBP_QUALITY })).await;
        let screenshot = BASE64.decode(screenshot["data"].as_str().unwrap()).unwrap();
        if screenshot == previous {
            return screenshot;
        }
        previous = screenshot;
        page.run_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))", Vec::<Value>::new())
            .await;
    }
}

fn panel_document() -> String {
    let mut text = DOCUMENT_HEADER.to_owned();
    for scene in scenes::all_scenes() {
        write!(text, "\n## {}\n\n{}\n\n<p>\n", scene.title, scene.description).unwrap();
        for (screen, width) in IMAGE_WIDTHS {
            for theme in Theme::ALL {
                let view = View { screen, theme };
                let (title, file) = (scene.title, screenshot_file_name(scene, view));
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
