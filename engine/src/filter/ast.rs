//! Syntax tree of a filter, as written by the user.
//!
//! [`super::check`] validates names and values. Positions refer to the source text. A tree from another source, such as the panel's form,
//! has default positions.

use crate::diagnostic::Span;

/// A filter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SyntaxTree {
    /// Conditions that must all match.
    pub conditions: Vec<Condition>,
    /// Page, order and content of the response.
    pub controls: Controls,
    /// Byte range in the text.
    pub span: Span,
}

/// One condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A condition on a field.
    Field(FieldCondition),
    /// A group of conditions.
    Group(Group),
}

/// A condition on a field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldCondition {
    /// Key of the field.
    pub key: Name,
    /// Required value.
    pub value: Value,
}

/// A name and its position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Name {
    /// The name, unescaped.
    pub text: String,
    /// Byte range in the text, including quotes.
    pub span: Span,
}

/// The required value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A single value. For date and number fields, a text may contain expressions, `"<value>;<operator>"`.
    Literal(Literal),
    /// Any of these values.
    List(List),
    /// An object of operators that must all match.
    Operators(Operators),
    /// An invalid value that was already reported.
    Invalid,
}

/// A scalar value.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// The value.
    pub value: LiteralValue,
    /// Byte range in the text, including quotes.
    pub span: Span,
}

/// Value of a literal.
#[derive(Clone, Debug, PartialEq)]
pub enum LiteralValue {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number, as written.
    Number(String),
    /// A text, unescaped.
    Text(String),
}

/// An array of literals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    /// Its elements. Invalid elements are omitted; [`Element::index`] keeps the original positions.
    pub elements: Vec<Element>,
    /// Byte range in the text.
    pub span: Span,
}

/// An element of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// Index in the array, starting at 0.
    pub index: usize,
    /// Its value.
    pub literal: Literal,
}

/// An object of operators that must all match.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Operators {
    /// The operators, in source order.
    pub operations: Vec<Operation>,
    /// Byte range of the object.
    pub span: Span,
}

/// An operator and its operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// The operator's name.
    pub name: Name,
    /// The operand, never [`Value::Operators`].
    pub operand: Value,
}

/// A group of branches.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The operator that joins the branches.
    pub junction: Junction,
    /// Byte range of the key `_or` or `_and`.
    pub key_span: Span,
    /// The branches.
    pub branches: Vec<Branch>,
    /// Byte range of the array.
    pub span: Span,
}

/// The operator that joins the branches of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Junction {
    /// `_or`: at least one must match.
    Any,
    /// `_and`: all must match.
    All,
}

impl Junction {
    /// Returns the key of the group.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Any => "_or",
            Self::All => "_and",
        }
    }
}

/// A branch of a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Branch {
    /// Index in the group, starting at 0.
    pub index: usize,
    /// Conditions that must all match.
    pub conditions: Vec<Condition>,
    /// Byte range in the text.
    pub span: Span,
}

/// Page, order and content of the response.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Controls {
    /// `limit`: `"<count>;<offset>"`.
    pub limit: Option<Control<String>>,
    /// `_order`: names of lead fields, with a `-` prefix for descending order.
    pub order: Option<Control<Vec<Name>>>,
    /// `_cursor`: start of the page; empty for the first page.
    pub cursor: Option<Control<String>>,
    /// `_fields`: the lead members to include in the response.
    pub fields: Option<Control<Vec<Name>>>,
    /// `_campaigns`: `matching` or `all`.
    pub campaigns: Option<Control<String>>,
}

/// A control's value and its position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Control<T> {
    /// The value.
    pub value: T,
    /// Byte range in the text.
    pub span: Span,
}

impl<T> From<T> for Control<T> {
    fn from(value: T) -> Self {
        Self { value, span: Span::default() }
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), span: Span::default() }
    }
}

impl From<LiteralValue> for Literal {
    fn from(value: LiteralValue) -> Self {
        Self { value, span: Span::default() }
    }
}

impl From<LiteralValue> for Value {
    fn from(value: LiteralValue) -> Self {
        Self::Literal(value.into())
    }
}

impl FromIterator<LiteralValue> for List {
    fn from_iter<I: IntoIterator<Item = LiteralValue>>(values: I) -> Self {
        let elements = values.into_iter().enumerate().map(|(index, value)| Element { index, literal: value.into() });
        Self { elements: elements.collect(), span: Span::default() }
    }
}
