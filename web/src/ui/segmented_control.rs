//! Segmented control: a choice between a few options that are all visible.

use std::borrow::Cow;
use std::sync::Arc;

use leptos::prelude::*;

use crate::ui::dialog::use_mark_filled;

pub struct Segment<T> {
    value: T,
    name: Cow<'static, str>,
    test_id: Cow<'static, str>,
}

/// Creates an option from its value, its label and its name in tests.
pub fn segment<T>(value: T, name: impl Into<Cow<'static, str>>, test_id: impl Into<Cow<'static, str>>) -> Segment<T> {
    Segment { value, name: name.into(), test_id: test_id.into() }
}

/// Row of buttons; the button of the chosen value is pressed.
#[component]
pub fn SegmentedControl<T>(
    label: &'static str,
    segments: Vec<Segment<T>>,
    #[prop(into)] selected: Signal<T>,
    #[prop(into)] on_choose: Callback<T>,
    /// Name of the whole group in tests.
    #[prop(optional)]
    test_id: &'static str,
) -> impl IntoView
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let (values, labels): (Vec<_>, Vec<_>) =
        segments.into_iter().map(|Segment { value, name, test_id }| (value, (name, test_id))).unzip();
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
    let buttons = labels.into_iter().enumerate().map(|(index, (name, test_id))| {
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
                {name}
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
