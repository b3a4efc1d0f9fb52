//! Queries of lists: conditions, order and page, and the same list as a file.

use leadscribe_engine::api::{AuditEntry, Call, CallbackEndpoint, Campaign, Delivery, Import, TranscriptHit};
use leadscribe_engine::record::Delimiter;
use serde::de::DeserializeOwned;

use crate::browser::query::query_string;
use crate::i18n::{Language, language};

/// Query of a list of the API. Its members are parameters of the query string; an empty member is left out.
pub trait ListQuery: Clone + Default + PartialEq + Send + Sync + 'static {
    const PATH: &'static str;

    type Item: DeserializeOwned;

    /// Reads the query from parameters, such as those of the panel's own URL.
    fn from_pairs(value: impl Fn(&str) -> Option<String>) -> Self;

    /// Conditions of the query, by name.
    fn conditions(&self) -> Vec<(&'static str, &str)>;

    /// Sort field, with `-` before it for descending order; empty for the default order.
    fn order(&self) -> &str;

    /// Page as `count;offset`.
    fn limit(&self) -> &str;

    /// The same list in another order, from the first page.
    fn with_order(self, order: String) -> Self;

    /// Another page of the same list, as `count;offset`.
    fn with_limit(self, limit: String) -> Self;

    /// The first page of the same list.
    fn first_page(self) -> Self {
        let limit = first_page_limit(self.limit());
        self.with_limit(limit)
    }

    /// All members, by name.
    fn pairs(&self) -> Vec<(&'static str, &str)> {
        let mut pairs = self.conditions();
        pairs.extend([("order", self.order()), ("limit", self.limit())]);
        pairs
    }

    /// Query string with a leading `?`.
    fn query_string(&self) -> String {
        query_string(&self.pairs())
    }

    fn url(&self) -> String {
        format!("{}{}", Self::PATH, self.query_string())
    }

    /// True if the query has any condition.
    fn has_conditions(&self) -> bool {
        self.conditions().iter().any(|(_, value)| !value.is_empty())
    }

    /// Number of conditions other than `excluded`.
    fn count_conditions_except(&self, excluded: &str) -> usize {
        self.conditions().iter().filter(|(name, value)| *name != excluded && !value.is_empty()).count()
    }

    /// URL of the whole list as a file. `format` is the server's name of the format.
    fn file_url(&self, format: &str) -> String {
        let mut pairs = self.conditions();
        pairs.push(("order", self.order()));
        file_url(Self::PATH, format, &pairs)
    }
}

/// Returns the first page of the same size, as `count;0`; empty if `limit` is empty.
fn first_page_limit(limit: &str) -> String {
    limit.split_once(';').map(|(rows, _)| format!("{rows};0")).unwrap_or_default()
}

pub fn file_url(path: &str, format: &str, pairs: &[(&str, &str)]) -> String {
    let csv_parameters = if format == "csv" { excel_csv_parameters() } else { Default::default() };
    let pairs = [&[("format", format)], &csv_parameters[..], pairs].concat();
    format!("{path}/export{}", query_string(&pairs))
}

/// Parameters of a CSV file for Excel. Excel needs a byte order mark for UTF-8, and expects the list separator of its
/// language as delimiter.
pub fn excel_csv_parameters() -> [(&'static str, &'static str); 2] {
    let delimiter = match language() {
        Language::German => Delimiter::Semicolon.as_str(),
        Language::English => "",
    };
    [("bom", "true"), ("delimiter", delimiter)]
}

/// Defines the query of a list from the names of its conditions.
macro_rules! list_query {
    ($(#[$about:meta])* $name:ident of $item:ty, $path:literal: $($(#[$note:meta])* $condition:ident),* $(,)?) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $($(#[$note])* pub $condition: String,)*
            pub order: String,
            pub limit: String,
        }

        impl $crate::api::ListQuery for $name {
            const PATH: &'static str = $path;

            type Item = $item;

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

            fn with_order(mut self, order: String) -> Self {
                self.order = order;
                self.first_page()
            }

            fn with_limit(mut self, limit: String) -> Self {
                self.limit = limit;
                self
            }
        }
    };
}

list_query! {
    /// Query of the audit log.
    AuditQuery of AuditEntry, "/api/audit-log":
    actor,
    action,
    subject,
    from,
    till,
}

list_query! {
    /// Query of the campaign list.
    CampaignQuery of Campaign, "/api/campaigns":
    /// Substring of the name.
    search,
}

list_query! {
    /// Query of the call list.
    CallQuery of Call, "/api/calls":
    lead_id,
    campaign_id,
    direction,
    status,
    recording,
    transcription,
    from,
    till,
    transcription_from,
    transcription_till,
    search,
}

list_query! {
    /// Query of the transcript search.
    TranscriptQuery of TranscriptHit, "/api/transcripts":
    search,
    language,
    from,
    till,
    campaign_id,
    lead_id,
    min_duration,
    max_duration,
    token_id,
}

list_query! {
    /// Query of the delivery list.
    DeliveryQuery of Delivery, "/api/deliveries":
    state,
    token_id,
    call_id,
    speech_request_id,
    /// Id of a delivery with the same URL. A URL may contain a secret, so it must not be part of the panel's URL.
    same_url_as,
}

list_query! {
    /// Query of the import list.
    ImportQuery of Import, "/api/imports":
    kind,
    state,
    /// Substring of the file name.
    name,
}

list_query! {
    /// Query of the callback URLs, sorted by their latest delivery.
    EndpointQuery of CallbackEndpoint, "/api/callback-endpoints":
}
