//! Column headers of a list. The same definition produces the sortable headers and the sort choice on a phone, where rows are cards without
//! headers.

use leptos::prelude::*;

use super::sort_pick::{SortPick, Sorting};
use super::table::{SortHead, Sorted};
use crate::order::{ListOrder, name};

/// A column header.
#[derive(Clone, Copy)]
pub struct Head {
    label: fn() -> &'static str,
    /// Sort key of the first press.
    by: Option<&'static str>,
    class: Option<&'static str>,
    is_hidden: bool,
}

impl Head {
    /// Header without sorting.
    pub const fn new(label: fn() -> &'static str) -> Self {
        Self { label, by: None, class: None, is_hidden: false }
    }

    /// Sort key of the first press; a `-` prefix means descending.
    pub const fn by(self, by: &'static str) -> Self {
        Self { by: Some(by), ..self }
    }

    pub const fn class(self, class: &'static str) -> Self {
        Self { class: Some(class), ..self }
    }

    /// Visible to screen readers only.
    pub const fn hidden(self) -> Self {
        Self { is_hidden: true, ..self }
    }
}

/// Renders the headers; they sort if there is an `order`.
pub fn heads(heads: &'static [Head], order: Option<ListOrder>) -> AnyView {
    heads.iter().map(|head| view_of(*head, order)).collect_view().into_any()
}

fn view_of(head: Head, order: Option<ListOrder>) -> AnyView {
    let Head { label, by, class, is_hidden } = head;
    match (by, order) {
        (Some(by), Some(order)) => {
            let sorted = Signal::derive(move || order.sorted(by));
            let on_sort = Callback::new(move |()| order.press(by));
            view! { <SortHead name=name(by).to_owned() label=label() class sorted on_sort /> }.into_any()
        }
        _ => view! {
            <th scope="col" class=class>
                <span class:visually-hidden=is_hidden>{label()}</span>
            </th>
        }
        .into_any(),
    }
}

/// Choice of the sort order.
#[component]
pub fn OrderPick(
    heads: &'static [Head],
    order: ListOrder,
    /// Content before the choice.
    #[prop(optional_no_strip)]
    before: Option<AnyView>,
) -> impl IntoView {
    let sorting = heads.iter().filter_map(|head| Some((head.by?, head.label)));
    let choices = sorting.clone().map(|(by, label)| (name(by).to_owned(), label().to_owned())).collect::<Vec<_>>();
    let all = StoredValue::new(sorting.map(|(by, _)| by).collect::<Vec<_>>());
    let now = move || {
        let by = all.with_value(|all| all.iter().copied().find(|by| order.sorted(by) != Sorted::No))?;
        let down = order.sorted(by) == Sorted::Descending;
        Some(Sorting { by: name(by).to_owned(), down, ends: order.ends(by) })
    };
    let on_sort = Callback::new(move |chosen: String| {
        if let Some(by) = all.with_value(|all| all.iter().copied().find(|by| name(by) == chosen)) {
            order.press(by);
        }
    });
    view! { <SortPick choices=Signal::stored(choices) sorting=Signal::derive(now) on_sort before /> }.into_any()
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{
        AuditOrder, CallOrder, CampaignOrder, DeliveryOrder, ImportOrder, ListOrder, Order, TranscriptOrder,
    };

    use super::*;
    use crate::components::{audit, call, campaign, delivery, import, transcript};

    /// Sort keys that the server doesn't know, and the default order.
    fn unknown<T: ListOrder>(heads: &[Head]) -> (Vec<&'static str>, String) {
        let by = heads.iter().filter_map(|head| head.by);
        (by.filter(|by| Order::<T>::from_name(by).is_none()).collect(), Order::<T>::default().to_string())
    }

    #[test]
    fn headers_use_known_sort_keys() {
        let none = |usual: &str| (Vec::new(), usual.to_owned());
        assert_eq!(unknown::<CallOrder>(&call::table::HEADS), none(call::table::NEWEST));
        assert_eq!(unknown::<CampaignOrder>(&campaign::table::HEADS), none(campaign::table::OLDEST));
        assert_eq!(unknown::<DeliveryOrder>(&delivery::table::HEADS), none(delivery::table::LATEST));
        assert_eq!(unknown::<ImportOrder>(&import::table::HEADS), none(import::table::LATEST));
        assert_eq!(unknown::<AuditOrder>(&audit::table::HEADS), none(audit::table::LATEST));
        assert_eq!(unknown::<TranscriptOrder>(&transcript::hits::HEADS), none(transcript::hits::NEWEST));
    }
}
