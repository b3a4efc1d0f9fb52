//! Tabs of a page.

use leptos::prelude::*;

use crate::browser::dom::scroll_into_view;
use crate::browser::focus::focus_element;

/// Tabs with arrow-key navigation. The caller renders the panel, with the id `{name}-panel`. If no tab is selected, the first one takes
/// keyboard focus.
#[component]
pub fn Tabs(
    /// Value and label of each tab.
    tabs: Vec<(&'static str, &'static str)>,
    name: &'static str,
    #[prop(into)] selected: Signal<String>,
    on_select: Callback<&'static str>,
) -> impl IntoView {
    let values: Vec<_> = tabs.iter().map(|(value, _)| *value).collect();
    let tab_stop = {
        let values = values.clone();
        Memo::new(move |_| {
            let selected = values.iter().find(|value| selected.with(|selected| selected == **value));
            selected.or(values.first()).copied()
        })
    };
    let on_key = move |event: web_sys::KeyboardEvent| {
        let step = match event.key().as_str() {
            "ArrowRight" => 1,
            "ArrowLeft" => values.len() - 1,
            _ => return,
        };
        event.prevent_default();
        let index = values.iter().position(|value| Some(*value) == tab_stop.get_untracked()).unwrap_or(0);
        let next = values[(index + step) % values.len()];
        on_select.run(next);
        focus_element(document().get_element_by_id(&format!("{name}-tab-{next}")));
    };
    // The tabs scroll on a narrow screen, and the tab named by the URL may be outside the visible part.
    Effect::new(move |_| {
        let tab = selected.with(|selected| document().get_element_by_id(&format!("{name}-tab-{selected}")));
        if let Some(tab) = tab {
            scroll_into_view(&tab);
        }
    });
    let buttons = tabs.into_iter().map(|(value, label)| {
        let is_selected = move || selected.with(|selected| selected == value);
        view! {
            <button
                type="button"
                role="tab"
                id=format!("{name}-tab-{value}")
                aria-selected=move || is_selected().to_string()
                aria-controls=format!("{name}-panel")
                tabindex=move || if tab_stop.get() == Some(value) { "0" } else { "-1" }
                on:click=move |_| on_select.run(value)
            >
                {label}
            </button>
        }
    });
    view! {
        <div class="tabs" role="tablist" on:keydown=on_key>
            {buttons.collect_view()}
        </div>
    }
}
