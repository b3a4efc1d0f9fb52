//! Dialog with all keyboard shortcuts.

use leptos::prelude::*;

use crate::components::dialog::Dialog;
use crate::keys::{key_name, modifier, way_to};
use crate::texts::{common, palette as texts};

type Said = fn() -> &'static str;

/// Shortcuts and their functions, by context. Spaces separate keys.
const ELSEWHERE: [(Said, &[(&str, Said)]); 5] = [
    (
        texts::in_lists,
        &[
            ("↑ ↓", texts::row_beside),
            ("Home End", texts::row_at_end),
            ("Enter", texts::key_open),
            ("X Space", texts::select),
            ("Shift X", texts::select_to),
            ("Esc", texts::select_none),
            ("/", texts::search_list),
        ],
    ),
    (texts::in_suggestions, &[("↑ ↓", texts::key_choose), ("Enter", texts::key_take), ("Esc", common::close)]),
    (texts::in_transcript, &[("Space", texts::play), ("← →", texts::seek), ("J K", texts::turns), ("/", texts::find)]),
    (texts::in_palette, &[("↑ ↓", texts::key_choose), ("Enter", texts::key_open), ("Esc", common::close)]),
    (texts::in_tabs, &[("← →", texts::tab_beside)]),
];

/// The dialog.
#[component]
pub fn Shortcuts(
    open: RwSignal<bool>,
    /// The pages, by path and name.
    pages: Vec<(&'static str, &'static str)>,
) -> impl IntoView {
    let everywhere =
        vec![(format!("{} K", modifier()), texts::jump().to_owned()), ("?".to_owned(), texts::show_keys().to_owned())];
    let ways = pages.into_iter().map(|(page, name)| (way_to(page), name.to_owned())).filter(|(way, _)| !way.is_empty());
    let mut groups = vec![(texts::everywhere().to_owned(), everywhere), (texts::go_to().to_owned(), ways.collect())];
    groups.extend(ELSEWHERE.map(|(name, keys)| {
        (name().to_owned(), keys.iter().map(|(keys, text)| ((*keys).to_owned(), text().to_owned())).collect())
    }));
    let groups = StoredValue::new(groups);
    let shown = move || {
        let groups = groups.get_value().into_iter().map(|(name, keys)| {
            let lines = keys.into_iter().map(|(keys, text)| {
                let keys = keys.split(' ').map(|key| view! { <kbd>{key_name(key).to_owned()}</kbd> }).collect_view();
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
        <Dialog open title=texts::keys() test="shortcuts">
            <div class="dialog-body shortcuts" tabindex="0" role="group" aria-label=texts::all_keys()>
                {shown()}
            </div>
        </Dialog>
    }
    .into_any()
}
