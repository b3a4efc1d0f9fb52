//! The dialog of the command palette: one input, and under it what can be gone to or done.
//!
//! By ARIA's pattern of a combobox with a list: the focus stays in the input, and arrow keys move the choice.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, MouseEvent, ScrollIntoViewOptions, ScrollLogicalPosition};

use super::use_palette;
use crate::components::icon::{Glyph, Icon};
use crate::language::Language;
use crate::texts::palette as texts;
use crate::theme::Theme;

/// What choosing an entry does.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// Goes to a place of the panel.
    Go(String),
    SetTheme(Theme),
    Speak(Language),
    ShowKeys,
    LogOut,
}

/// One thing that can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Entries of a group stand together, under its name.
    pub group: &'static str,
    pub glyph: Glyph,
    pub label: String,
    /// Says more about it.
    pub note: String,
    /// The keys that do it without the palette; empty for none.
    pub keys: String,
    pub deed: Deed,
}

impl Entry {
    /// Whether each word of what was typed, in lower case, stands in it.
    pub fn matches(&self, words: &str) -> bool {
        let text = format!("{} {} {}", self.label, self.note, self.group).to_lowercase();
        words.split_whitespace().all(|word| text.contains(word))
    }
}

const LIST: &str = "palette-list";

fn option_id(place: usize) -> String {
    format!("palette-{place}")
}

/// The palette.
#[component]
pub fn PaletteDialog(
    /// What can be chosen, as it is typed for; entries of a group follow one another.
    entries: Memo<Vec<Entry>>,
    /// Whether more may come.
    searching: Signal<bool>,
    on_choose: Callback<Deed>,
) -> impl IntoView {
    let palette = use_palette();
    let node = NodeRef::<html::Dialog>::new();
    let chosen = RwSignal::new(0_usize);
    Effect::new(move |_| {
        let Some(dialog) = node.get() else { return };
        if palette.open.get() && !dialog.open() {
            // Only a dialog that is open or out of the page refuses.
            let _ = dialog.show_modal();
        } else if !palette.open.get() && dialog.open() {
            dialog.close();
        }
    });
    Effect::new(move |_| {
        palette.typed.track();
        palette.open.track();
        chosen.set(0);
    });
    let count = move || entries.with(Vec::len);
    // Fewer entries than before may have come.
    let current = Memo::new(move |_| chosen.get().min(count().saturating_sub(1)));
    let choose = move |place: usize| {
        if let Some(entry) = entries.with_untracked(|entries| entries.get(place).cloned()) {
            palette.open.set(false);
            on_choose.run(entry.deed);
        }
    };
    let on_key = move |event: KeyboardEvent| {
        let (count, current) = (entries.with_untracked(Vec::len), current.get_untracked());
        let next = match event.key().as_str() {
            "ArrowDown" if current + 1 < count => current + 1,
            "ArrowDown" => 0,
            "ArrowUp" => current.checked_sub(1).unwrap_or(count.saturating_sub(1)),
            "PageDown" => (current + 8).min(count.saturating_sub(1)),
            "PageUp" => current.saturating_sub(8),
            "Enter" if !event.is_composing() => {
                event.prevent_default();
                return choose(current);
            }
            _ => return,
        };
        event.prevent_default();
        chosen.set(next);
        bring_into_view(next);
    };
    let beside = move |event: MouseEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        // The dialog itself is only pressed where nothing of it stands: on what it darkens.
        if target.is_some_and(|target| target.tag_name() == "DIALOG") {
            palette.open.set(false);
        }
    };
    let options = move || {
        let entries = entries.get();
        let mut shown = Vec::with_capacity(entries.len());
        let mut group = "";
        for (place, entry) in entries.into_iter().enumerate() {
            let head = (entry.group != group).then_some(entry.group);
            group = entry.group;
            shown.push(option(place, entry, head, current, Callback::new(choose)));
        }
        shown.into_any()
    };
    let told = move || match count() {
        0 if searching.get() => texts::searching().to_owned(),
        0 => texts::nothing().to_owned(),
        count => texts::entries(count as u64),
    };
    view! {
        <dialog
            node_ref=node
            class="dialog palette"
            aria-label=texts::name()
            data-test="palette"
            on:close=move |_| palette.open.set(false)
            on:click=beside
        >
            <Show when=move || palette.open.get()>
                <div class="palette-head">
                    <Icon glyph=Glyph::Search />
                    <input
                        class="palette-input"
                        type="text"
                        role="combobox"
                        autofocus
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck="false"
                        enterkeyhint="go"
                        placeholder=texts::placeholder()
                        aria-label=texts::name()
                        aria-autocomplete="list"
                        aria-expanded="true"
                        aria-controls=LIST
                        aria-activedescendant=move || (count() > 0).then(|| option_id(current.get()))
                        data-test="palette-input"
                        prop:value=palette.typed
                        on:input:target=move |event| palette.typed.set(event.target().value())
                        on:keydown=on_key
                    />
                    <button
                        type="button"
                        class="button button-plain button-small palette-close"
                        on:click=move |_| palette.open.set(false)
                    >
                        <kbd>"Esc"</kbd>
                        <span class="visually-hidden">{texts::closes()}</span>
                    </button>
                </div>
                <div id=LIST class="palette-list" role="listbox" aria-label=texts::list()>
                    {options}
                </div>
                <p
                    class=move || if count() == 0 { "palette-none" } else { "visually-hidden" }
                    role="status"
                    data-test="palette-told"
                >
                    {told}
                </p>
                <footer class="palette-foot" aria-hidden="true">
                    <span>
                        <kbd>"↑"</kbd>
                        <kbd>"↓"</kbd>
                        {texts::choose()}
                    </span>
                    <span>
                        <kbd>"↵"</kbd>
                        {texts::open()}
                    </span>
                </footer>
            </Show>
        </dialog>
    }
    .into_any()
}

fn option(
    place: usize,
    entry: Entry,
    head: Option<&'static str>,
    current: Memo<usize>,
    choose: Callback<usize>,
) -> AnyView {
    let Entry { glyph, label, note, keys, .. } = entry;
    view! {
        {head.map(|head| view! { <div class="palette-group" role="presentation">{head}</div> })}
        <div
            id=option_id(place)
            class="palette-option"
            role="option"
            aria-selected=move || (current.get() == place).to_string()
            data-test="palette-option"
            on:mousedown=|event| event.prevent_default()
            on:click=move |_| choose.run(place)
        >
            <Icon glyph />
            <span class="palette-label">{label}</span>
            <span class="palette-note">{note}</span>
            {(!keys.is_empty()).then(|| view! { <kbd>{keys}</kbd> })}
        </div>
    }
    .into_any()
}

fn bring_into_view(place: usize) {
    if let Some(option) = document().get_element_by_id(&option_id(place)) {
        let nearest = ScrollIntoViewOptions::new();
        nearest.set_block(ScrollLogicalPosition::Nearest);
        option.scroll_into_view_with_scroll_into_view_options(&nearest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_must_stand_in_an_entry() {
        let entry = Entry {
            group: "Pages",
            glyph: Glyph::Key,
            label: "API keys".into(),
            note: "Settings".into(),
            keys: String::new(),
            deed: Deed::ShowKeys,
        };
        for typed in ["", "api", "keys set", "pages"] {
            assert!(entry.matches(typed), "{typed:?}");
        }
        assert!(!entry.matches("api leads"));
    }
}
