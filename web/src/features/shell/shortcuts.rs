//! Dialog with all keyboard shortcuts.

use leptos::prelude::*;

use crate::features::shell::use_navigation_entries;
use crate::i18n::keyboard::{key_label, modifier_label};
use crate::i18n::texts::{common, shell as texts};
use crate::ui::dialog::Dialog;

type Label = fn() -> &'static str;

/// Shortcuts and their functions, by context. Spaces separate keys.
const CONTEXT_SHORTCUTS: [(Label, &[(&str, Label)]); 5] = [
    (
        texts::in_lists,
        &[
            ("↑ ↓", texts::adjacent_row),
            ("Home End", texts::first_or_last_row),
            ("Enter", texts::key_open),
            ("X Space", texts::select),
            ("Shift X", texts::select_to),
            ("Esc", common::clear_selection),
            ("/", texts::search_list),
        ],
    ),
    (texts::in_suggestions, &[("↑ ↓", texts::key_choose), ("Enter", texts::key_accept), ("Esc", common::close)]),
    (
        texts::in_transcript,
        &[("Space", common::play_or_pause), ("← →", texts::seek), ("J K", texts::adjacent_segment), ("/", texts::find)],
    ),
    (texts::in_palette, &[("↑ ↓", texts::key_choose), ("Enter", texts::key_open), ("Esc", common::close)]),
    (texts::in_tabs, &[("← →", texts::adjacent_tab)]),
];

#[component]
pub fn ShortcutsDialog(open: RwSignal<bool>) -> impl IntoView {
    let global_shortcuts = vec![
        (format!("{} K", modifier_label()), texts::search_or_jump().to_owned()),
        ("?".to_owned(), texts::show_keys().to_owned()),
    ];
    let page_shortcuts =
        use_navigation_entries().into_iter().map(|page| (page.shortcut_label(), (page.label)().to_owned()));
    let mut groups =
        vec![(texts::everywhere().to_owned(), global_shortcuts), (texts::go_to().to_owned(), page_shortcuts.collect())];
    groups.extend(CONTEXT_SHORTCUTS.map(|(name, keys)| {
        (name().to_owned(), keys.iter().map(|(keys, text)| ((*keys).to_owned(), text().to_owned())).collect())
    }));
    let groups = StoredValue::new(groups);
    let group_views = move || {
        let groups = groups.get_value().into_iter().map(|(name, keys)| {
            let shortcut_views = keys.into_iter().map(|(keys, text)| {
                let keys = keys.split(' ').map(|key| view! { <kbd>{key_label(key).to_owned()}</kbd> }).collect_view();
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
                    <dl>{shortcut_views.collect_view()}</dl>
                </section>
            }
        });
        groups.collect_view().into_any()
    };
    view! {
        <Dialog open title=texts::keys() test_id="shortcuts">
            <div class="dialog-body shortcuts" tabindex="0" role="group" aria-label=texts::all_keys()>
                {group_views()}
            </div>
        </Dialog>
    }
}
