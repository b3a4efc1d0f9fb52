//! In which form of TOML an option stands in the file.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde_json::Value;

use super::{Addressing, Country, Languages, LogFormat, Networks, RecognizerKind, Role, Secret, Switch, Watch};

/// A form of TOML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// True or false.
    Boolean,
    /// A whole number, 0 or more.
    Whole,
    /// Text.
    Text,
    /// Text, or a list of texts.
    List,
}

impl Form {
    /// What it is called in a message.
    pub fn name(self) -> &'static str {
        match self {
            Self::Boolean => "true or false",
            Self::Whole => "a whole number, 0 or more",
            Self::Text => "text in quotes",
            Self::List => "text in quotes, or a list of texts",
        }
    }

    /// A default in this form, which the table of the options has as text.
    pub(super) fn value(self, default: &str) -> Value {
        match self {
            Self::Boolean | Self::Whole => default.parse().expect("a test reads the defaults"),
            Self::Text | Self::List => Value::from(default),
        }
    }
}

/// What an option's values can be.
pub(super) trait Formed {
    /// Their form.
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
