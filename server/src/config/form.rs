//! Types of options in the TOML file.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde_json::Value;

use super::{Addressing, Country, Languages, LogFormat, Networks, RecognizerKind, Role, Secret, Switch, Watch};

/// Type of an option in TOML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// True or false.
    Boolean,
    /// An integer, 0 or more.
    Whole,
    /// Text.
    Text,
    /// Text, or a list of texts.
    List,
}

impl Form {
    /// Returns the name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Boolean => "true or false",
            Self::Whole => "a whole number, 0 or more",
            Self::Text => "text in quotes",
            Self::List => "text in quotes, or a list of texts",
        }
    }

    /// Converts a default, which the option table has as text, to this type.
    pub(super) fn value(self, default: &str) -> Value {
        match self {
            Self::Boolean | Self::Whole => default.parse().expect("a test reads the defaults"),
            Self::Text | Self::List => Value::from(default),
        }
    }
}

/// A type of option values.
pub(super) trait Formed {
    /// Type in TOML.
    const FORM: Form;
}

macro_rules! formed {
    ($form:ident: $($kind:ty),+) => {
        $( impl Formed for $kind { const FORM: Form = Form::$form; } )+
    };
}

formed!(Boolean: bool);
formed!(Whole: u32, u64, usize);
formed!(Text: String, PathBuf, SocketAddr, Secret, Country, Networks, Watch);
formed!(Text: Addressing, LogFormat, RecognizerKind, Role, Switch);
formed!(List: Languages);
