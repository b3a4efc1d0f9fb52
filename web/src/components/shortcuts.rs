//! All keys of the panel, in a dialog.

use leptos::prelude::*;

use super::dialog::Dialog;
use crate::keys::{modifier, way_to};

/// Keys and what they do, by where they hold; each key apart by blanks.
const ELSEWHERE: [(&str, &[(&str, &str)]); 4] = [
    ("In the list of leads", &[("X", "Select the lead"), ("Shift X", "Select up to it"), ("Esc", "Select none")]),
    (
        "In a transcript",
        &[
            ("Space", "Play or pause"),
            ("← →", "Back and forward by some seconds"),
            ("J K", "Next and previous turn"),
            ("/", "Search in it"),
        ],
    ),
    ("In the palette", &[("↑ ↓", "Choose"), ("Enter", "Open"), ("Esc", "Close")]),
    ("In tabs", &[("← →", "The tab beside")]),
];

/// The dialog.
#[component]
pub fn Shortcuts(
    open: RwSignal<bool>,
    /// The pages, by address and name.
    pages: Vec<(&'static str, &'static str)>,
) -> impl IntoView {
    let everywhere = vec![
        (format!("{} K", modifier()), "Search or jump to anything".to_owned()),
        ("?".to_owned(), "Show these shortcuts".to_owned()),
    ];
    let ways = pages.into_iter().map(|(page, name)| (way_to(page), name.to_owned())).filter(|(way, _)| !way.is_empty());
    let mut groups = vec![("Everywhere".to_owned(), everywhere), ("Go to".to_owned(), ways.collect())];
    groups.extend(ELSEWHERE.map(|(name, keys)| {
        (name.to_owned(), keys.iter().map(|(keys, text)| ((*keys).to_owned(), (*text).to_owned())).collect())
    }));
    let groups = StoredValue::new(groups);
    let shown = move || {
        let groups = groups.get_value().into_iter().map(|(name, keys)| {
            let lines = keys.into_iter().map(|(keys, text)| {
                let keys = keys.split(' ').map(|key| view! { <kbd>{key.to_owned()}</kbd> }).collect_view();
                view! {
                    <div class="shortcut">
                        <dt>{keys}</dt>
                        <dd>{text}</dd>
                    </div>
                }
            });
            view! {
                <section>
                    <h3 class="label">{name}</h3>
                    <dl>{lines.collect_view()}</dl>
                </section>
            }
        });
        groups.collect_view().into_any()
    };
    view! {
        <Dialog open title="Keyboard shortcuts" test="shortcuts">
            <div class="dialog-body shortcuts" tabindex="0" role="group" aria-label="All shortcuts">
                {shown()}
            </div>
        </Dialog>
    }
    .into_any()
}
