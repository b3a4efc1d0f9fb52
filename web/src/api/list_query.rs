//! What lists are asked for: by which conditions, in which order, which part; and the same as a file.

use leadscribe_engine::record::Delimiter;

use crate::language::{Language, language};
use crate::query::query_string;

/// A query of a list of the API. Its members are those of the query string; an empty text leaves one open.
pub trait ListQuery: Clone + Default + PartialEq + Send + Sync + 'static {
    /// Where the list is asked for.
    const PATH: &'static str;

    /// The query with its members found by name, as in the panel's own address.
    fn from_pairs(value: impl Fn(&str) -> Option<String>) -> Self;

    /// What narrows the list, by name.
    fn conditions(&self) -> Vec<(&'static str, &str)>;

    /// By what it is ordered, `-` before it from the largest; empty for the list's own order.
    fn order(&self) -> &str;

    /// Which part of it, `count;offset`.
    fn limit(&self) -> &str;

    /// The same list in another order, from its first part.
    fn ordered(self, order: String) -> Self;

    /// Another part of the same list, `count;offset`.
    fn limited(self, limit: String) -> Self;

    /// The same list from its first part.
    fn first_part(self) -> Self {
        let limit = from_first(self.limit());
        self.limited(limit)
    }

    /// All members by name.
    fn pairs(&self) -> Vec<(&'static str, &str)> {
        let mut pairs = self.conditions();
        pairs.extend([("order", self.order()), ("limit", self.limit())]);
        pairs
    }

    /// The query string, with the `?` before it.
    fn query_string(&self) -> String {
        query_string(&self.pairs())
    }

    /// Where it is asked for.
    fn url(&self) -> String {
        format!("{}{}", Self::PATH, self.query_string())
    }

    /// Whether anything narrows the list.
    fn is_narrow(&self) -> bool {
        self.conditions().iter().any(|(_, value)| !value.is_empty())
    }

    /// How many conditions narrow it beside that of this name.
    fn narrowed_beside(&self, search: &str) -> usize {
        self.conditions().iter().filter(|(name, value)| *name != search && !value.is_empty()).count()
    }

    /// Where all of it comes from as a file, in a format that the server names so.
    fn file_url(&self, format: &str) -> String {
        let mut pairs = self.conditions();
        pairs.push(("order", self.order()));
        file_url(Self::PATH, format, &pairs)
    }
}

/// `count;offset` with as many rows a page, from the first on; nothing where there was none.
fn from_first(limit: &str) -> String {
    limit.split_once(';').map(|(rows, _)| format!("{rows};0")).unwrap_or_default()
}

/// Where a list comes from as a file.
pub fn file_url(path: &str, format: &str, pairs: &[(&str, &str)]) -> String {
    let sheet = if format == "csv" { sheet() } else { Default::default() };
    let pairs = [&[("format", format)], &sheet[..], pairs].concat();
    format!("{path}/export{}", query_string(&pairs))
}

/// What a CSV file is asked to be for Excel, which reads one as UTF-8 only behind such a mark, and separates its cells by what
/// its language has between the numbers of a list.
pub fn sheet() -> [(&'static str, &'static str); 2] {
    let delimiter = match language() {
        Language::German => Delimiter::Semicolon.as_str(),
        Language::English => "",
    };
    [("bom", "true"), ("delimiter", delimiter)]
}

/// Makes the query of a list by the names of its conditions.
macro_rules! list_query {
    ($(#[$about:meta])* $name:ident of $path:literal: $($(#[$note:meta])* $condition:ident),* $(,)?) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $($(#[$note])* pub $condition: String,)*
            pub order: String,
            pub limit: String,
        }

        impl $crate::api::ListQuery for $name {
            const PATH: &'static str = $path;

            fn from_pairs(value: impl Fn(&str) -> Option<String>) -> Self {
                let value = |name| value(name).unwrap_or_default();
                Self {
                    $($condition: value(stringify!($condition)),)*
                    order: value("order"),
                    limit: value("limit"),
                }
            }

            fn conditions(&self) -> Vec<(&'static str, &str)> {
                vec![$((stringify!($condition), self.$condition.as_str())),*]
            }

            fn order(&self) -> &str {
                &self.order
            }

            fn limit(&self) -> &str {
                &self.limit
            }

            fn ordered(mut self, order: String) -> Self {
                self.order = order;
                self.first_part()
            }

            fn limited(mut self, limit: String) -> Self {
                self.limit = limit;
                self
            }
        }
    };
}

pub(super) use list_query;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::speak;

    #[test]
    fn another_order_begins_at_the_first_page_of_as_many_rows() {
        assert_eq!([from_first("25;75"), from_first("")], ["25;0", ""]);
    }

    #[test]
    fn excel_is_given_what_it_takes_in_its_language() {
        assert_eq!(sheet(), [("bom", "true"), ("delimiter", "")]);
        speak(Language::German);
        assert_eq!(sheet(), [("bom", "true"), ("delimiter", ";")]);
    }
}
