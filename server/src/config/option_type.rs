//! Types of options in the TOML file.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde_json::Value;

use super::{
    AddressingStyle, Country, Languages, LogFormat, MetricsAddress, Networks, Origins, RecognizerKind, Role, Secret,
    Switch,
};

/// Type of an option in TOML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionType {
    /// True or false.
    Boolean,
    /// An integer, 0 or more.
    Integer,
    /// Text.
    Text,
    /// Text, or a list of texts.
    List,
}

impl OptionType {
    /// Returns the name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Boolean => "true or false",
            Self::Integer => "a whole number, 0 or more",
            Self::Text => "text in quotes",
            Self::List => "text in quotes, or a list of texts",
        }
    }

    /// Parses a default, which the option table has as text.
    pub(super) fn parse_default(self, default: &str) -> Value {
        match self {
            Self::Boolean | Self::Integer => default.parse().expect("the defaults are valid"),
            Self::Text | Self::List => Value::from(default),
        }
    }
}

/// A type of option values.
pub(super) trait HasOptionType {
    /// Type in TOML.
    const OPTION_TYPE: OptionType;
}

macro_rules! impl_option_type {
    ($option_type:ident: $($kind:ty),+) => {
        $( impl HasOptionType for $kind { const OPTION_TYPE: OptionType = OptionType::$option_type; } )+
    };
}

impl_option_type!(Boolean: bool);
impl_option_type!(Integer: u32, u64, usize);
impl_option_type!(Text: String, PathBuf, SocketAddr, Secret, Country, Networks, Origins, MetricsAddress);
impl_option_type!(Text: AddressingStyle, LogFormat, RecognizerKind, Role, Switch);
impl_option_type!(List: Languages);

/// Implements the conversion from text that serde uses, for types that parse text.
macro_rules! impl_try_from_text {
    ($($kind:ty),+) => {
        $( impl TryFrom<String> for $kind {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                text.parse()
            }
        } )+
    };
}

impl_try_from_text!(Country, MetricsAddress, Networks);
