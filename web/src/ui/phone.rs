//! Phone number: shown in groups of digits, exact on hover and when copied.

use leptos::prelude::*;

use crate::i18n::number_format::phone_groups;

#[component]
pub fn Phone(
    number: String,
    /// Further information about the number.
    #[prop(optional_no_strip)]
    note: Option<String>,
) -> impl IntoView {
    let groups =
        phone_groups(&number).into_iter().map(|group| view! { <span>{group.to_owned()}</span> }).collect_view();
    let title = [Some(number), note].into_iter().flatten().collect::<Vec<_>>().join("\n");
    view! {
        <span class="phone nowrap" title=title>
            {groups}
        </span>
    }
}
