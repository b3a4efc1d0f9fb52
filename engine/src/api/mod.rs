//! The wire types: the data that server, panel and integrators exchange over HTTP.
//!
//! The types are plain data without rules. The rules are in [`crate::submission`], [`crate::record`] and [`crate::filter`].

mod access;
mod audit;
mod call;
mod campaign;
mod campaign_lead;
mod change;
mod delivery;
mod ids;
mod import;
mod import_finding;
mod lead;
mod lead_action;
mod order;
mod overview;
mod page;
mod problem;
mod speech;
mod transcript;
mod view;
mod webhook;

pub use access::*;
pub use audit::*;
pub use call::*;
pub use campaign::*;
pub use campaign_lead::*;
pub use change::*;
pub use delivery::*;
pub use ids::*;
pub use import::*;
pub use import_finding::*;
pub use lead::*;
pub use lead_action::*;
pub use order::*;
pub use overview::*;
pub use page::*;
pub use problem::*;
pub use speech::*;
pub use transcript::*;
pub use view::*;
pub use webhook::*;

/// A UTC timestamp. Stored with microseconds, written as RFC 3339 (`2026-05-01T09:30:00Z`).
pub type Timestamp = chrono::DateTime<chrono::Utc>;

/// One day in microseconds, the unit in which timestamps are stored.
pub const DAY_MICROS: i64 = 86_400_000_000;

/// Deserializes a member that is present, including null.
fn deserialize_present<'de, T: serde::Deserialize<'de>, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Defines an enum whose variants each have one fixed name on the wire, in the database and in messages.
macro_rules! named_enum {
    ($(#[doc = $doc:literal])+ $name:ident { $($(#[doc = $variant_doc:literal])+ $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[doc = $variant_doc])+ #[serde(rename = $text)] $variant),+
        }

        impl $name {
            /// All variants, in documented order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Name of the variant on the wire and in the database.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// Returns the description of the variant.
            pub const fn doc(self) -> &'static str {
                match self { $(Self::$variant => concat!($($variant_doc),+).trim_ascii()),+ }
            }

            /// Returns the variant with this name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)+ _ => None }
            }

            /// Returns the names of all variants, in documented order.
            pub fn names() -> impl Iterator<Item = &'static str> + Clone {
                Self::ALL.iter().map(|value| value.as_str())
            }
        }

        #[cfg(feature = "openapi")]
        impl utoipa::ToSchema for $name {}

        // Implemented by hand: the derive would use the variant names, because it can't read a macro's literal.
        #[cfg(feature = "openapi")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::Type::String)
                    .enum_values(Some(Self::names()))
                    .description(Some(concat!($($doc),+).trim()))
                    .into()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use named_enum;
