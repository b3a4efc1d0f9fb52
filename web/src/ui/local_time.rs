//! Timestamps: short as text, exact on hover. Phone numbers: in groups of digits, exact on hover and when copied.

use leadscribe_engine::api::Timestamp;
use leptos::prelude::*;

use crate::i18n::datetime;
use crate::i18n::number_format::phone_groups;
use crate::i18n::texts::common as texts;
use crate::ui::{Glyph, Icon};

/// A timestamp in the browser's time zone, or relative to now with `relative`.
#[component]
pub fn LocalTime(at: Timestamp, #[prop(optional)] relative: bool) -> impl IntoView {
    let format_time = move |relative| if relative { datetime::format_relative(at) } else { datetime::format_local(at) };
    let text = Signal::derive(move || format_time(relative));
    let title = Signal::derive(move || format!("{} ({})", datetime::format_exact(at), format_time(!relative)));
    view! { <time datetime=at.to_rfc3339() title=title class="nowrap">{text}</time> }
}

/// A timestamp that may be missing.
#[component]
pub fn OptionalLocalTime(
    at: Option<Timestamp>,
    #[prop(optional)] relative: bool,
    #[prop(default = "–")] placeholder: &'static str,
) -> impl IntoView {
    match at {
        Some(at) => view! { <LocalTime at relative /> }.into_any(),
        None => view! { <span class="muted">{placeholder}</span> }.into_any(),
    }
}

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

/// Notice that a callback time or the end of a freeze is in the past.
#[component]
pub fn PastDateNotice(
    /// The timestamp as RFC 3339. Text that can't be parsed has no notice.
    #[prop(into)]
    timestamp: Signal<String>,
) -> impl IntoView {
    let is_past = Memo::new(move |_| timestamp.with(|text| text.parse::<Timestamp>().is_ok_and(datetime::is_past)));
    let notice = move || {
        view! {
            <p class="field-note" data-test="past-date-notice">
                <Icon glyph=Glyph::Info />
                <span>{texts::time_in_past()}</span>
            </p>
        }
    };
    (move || is_past.get().then(notice)).into_any()
}
