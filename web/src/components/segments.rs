//! A choice of one among few, all of them in sight.

use std::borrow::Cow;

use leptos::prelude::*;

use crate::components::dialog::filling;

/// One that can be chosen.
pub struct Segment<T> {
    value: T,
    name: Cow<'static, str>,
    test: Cow<'static, str>,
}

/// A value, what stands on its button, and how tests find it.
pub fn segment<T>(value: T, name: impl Into<Cow<'static, str>>, test: impl Into<Cow<'static, str>>) -> Segment<T> {
    Segment { value, name: name.into(), test: test.into() }
}

/// Buttons side by side, of which that of the chosen value is pressed.
#[component]
pub fn Segments<T>(
    /// What is chosen, for those who don't see the buttons.
    label: &'static str,
    segments: Vec<Segment<T>>,
    #[prop(into)] chosen: Signal<T>,
    #[prop(into)] on_choose: Callback<T>,
    /// How tests find all of them.
    #[prop(optional)]
    test: &'static str,
) -> impl IntoView
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let fill = filling();
    let buttons = segments.into_iter().map(|Segment { value, name, test }| {
        let this = value.clone();
        let choose = move |_| {
            if chosen.with_untracked(|chosen| *chosen != value) {
                fill();
            }
            on_choose.run(value.clone());
        };
        view! {
            <button
                type="button"
                data-test=test
                aria-pressed=move || chosen.with(|chosen| *chosen == this).to_string()
                on:click=choose
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
