//! Segmented control: a choice between a few options that are all visible.

use std::borrow::Cow;
use std::sync::Arc;

use leptos::prelude::*;

use crate::components::dialog::filling;

/// One option.
pub struct Segment<T> {
    value: T,
    name: Cow<'static, str>,
    test: Cow<'static, str>,
}

/// Creates an option from its value, its label and its name in tests.
pub fn segment<T>(value: T, name: impl Into<Cow<'static, str>>, test: impl Into<Cow<'static, str>>) -> Segment<T> {
    Segment { value, name: name.into(), test: test.into() }
}

/// Row of buttons; the button of the chosen value is pressed.
#[component]
pub fn Segments<T>(
    /// Accessible label of the group.
    label: &'static str,
    segments: Vec<Segment<T>>,
    #[prop(into)] chosen: Signal<T>,
    #[prop(into)] on_choose: Callback<T>,
    /// Name of the whole group in tests.
    #[prop(optional)]
    test: &'static str,
) -> impl IntoView
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let (values, faces): (Vec<_>, Vec<_>) =
        segments.into_iter().map(|Segment { value, name, test }| (value, (name, test))).unzip();
    let values: Arc<[T]> = values.into();
    let all = Arc::clone(&values);
    let chosen = Signal::derive(move || chosen.with(|chosen| all.iter().position(|value| value == chosen)));
    let choose = Callback::new(move |number: usize| on_choose.run(values[number].clone()));
    buttons(label, faces, chosen, choose, test)
}

/// The buttons, independent of the value type: compiled once for all uses.
fn buttons(
    label: &'static str,
    faces: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    chosen: Signal<Option<usize>>,
    choose: Callback<usize>,
    test: &'static str,
) -> AnyView {
    let fill = filling();
    let buttons = faces.into_iter().enumerate().map(|(number, (name, test))| {
        let press = move |_| {
            if chosen.get_untracked() != Some(number) {
                fill();
            }
            choose.run(number);
        };
        view! {
            <button
                type="button"
                data-test=test
                aria-pressed=move || (chosen.get() == Some(number)).to_string()
                on:click=press
            >
                {name}
            </button>
        }
    });
    view! {
        <div class="segments" role="group" aria-label=label data-test=(!test.is_empty()).then_some(test)>
            {buttons.collect_view()}
        </div>
    }
    .into_any()
}
