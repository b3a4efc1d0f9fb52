//! Segmented control: a choice between a few options that are all visible, such as the language and the theme of the
//! panel. Tabs of a page.

use std::borrow::Cow;
use std::sync::Arc;

use leptos::prelude::*;

use crate::browser::dom::scroll_into_view;
use crate::browser::focus::focus_element;
use crate::i18n::locale::choose;
use crate::i18n::texts::shell;
use crate::i18n::{Language, language};
use crate::state::{Theme, use_theme};
use crate::ui::dialog::use_mark_filled;

pub struct Segment<T> {
    value: T,
    label: Cow<'static, str>,
    test_id: Cow<'static, str>,
}

/// Creates an option from its value, label and test id.
pub fn segment<T>(value: T, label: impl Into<Cow<'static, str>>, test_id: impl Into<Cow<'static, str>>) -> Segment<T> {
    Segment { value, label: label.into(), test_id: test_id.into() }
}

/// Row of buttons; the button of the chosen value is pressed.
#[component]
pub fn SegmentedControl<T>(
    label: &'static str,
    segments: Vec<Segment<T>>,
    #[prop(into)] selected: Signal<T>,
    #[prop(into)] on_choose: Callback<T>,
    /// Test id of the whole group.
    #[prop(optional)]
    test_id: &'static str,
) -> impl IntoView
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let (values, labels): (Vec<_>, Vec<_>) =
        segments.into_iter().map(|Segment { value, label, test_id }| (value, (label, test_id))).unzip();
    let values: Arc<[T]> = values.into();
    let all_values = Arc::clone(&values);
    let selected =
        Signal::derive(move || selected.with(|selected| all_values.iter().position(|value| value == selected)));
    let choose_index = Callback::new(move |index: usize| on_choose.run(values[index].clone()));
    buttons(label, labels, selected, choose_index, test_id)
}

/// The buttons, independent of the value type: compiled once for all uses.
fn buttons(
    label: &'static str,
    labels: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    selected: Signal<Option<usize>>,
    on_choose: Callback<usize>,
    test_id: &'static str,
) -> AnyView {
    let mark_filled = use_mark_filled();
    let buttons = labels.into_iter().enumerate().map(|(index, (label, test_id))| {
        let on_press = move |_| {
            if selected.get_untracked() != Some(index) {
                mark_filled();
            }
            on_choose.run(index);
        };
        view! {
            <button
                type="button"
                data-test=test_id
                aria-pressed=move || (selected.get() == Some(index)).to_string()
                on:click=on_press
            >
                {label}
            </button>
        }
    });
    view! {
        <div class="segmented-control" role="group" aria-label=label data-test=(!test_id.is_empty()).then_some(test_id)>
            {buttons.collect_view()}
        </div>
    }
    .into_any()
}

/// Lists each language by its own name. Choosing one reloads the page; the browser asks for confirmation if there are
/// unsaved changes.
#[component]
pub fn LanguageSwitch() -> impl IntoView {
    let segments = Language::ALL.map(|language| segment(language, language.label(), language.tag())).into();
    let selected = Signal::stored(language());
    let on_choose = move |selected| {
        if selected != language() {
            choose(selected);
        }
    };
    view! { <SegmentedControl label=shell::language() segments selected on_choose test_id="language" /> }
}

/// Switches between light, dark and the system's theme.
#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let theme = use_theme();
    let segments = Theme::ALL.map(|theme| segment(theme, theme.label(), theme.name())).into();
    let selected = Signal::derive(move || theme.get());
    let on_choose = move |selected| theme.set(selected);
    view! { <SegmentedControl label=shell::theme() segments selected on_choose test_id="theme" /> }
}

/// Tabs with arrow-key navigation. The caller renders the panel, with the id `{name}-panel`. If no tab is selected, the
/// first one takes keyboard focus.
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
