//! A filter as it was written: the form that people edit.
//!
//! Whether its names and values are permitted is for [`super::check`] to say. Positions are those of the text it was
//! read from; a tree made otherwise, as by the panel's form, leaves them at their default.

use crate::fault::Span;

/// A filter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// All of them must hold.
    pub conditions: Vec<Condition>,
    /// What is answered of the leads that match, and in what order.
    pub controls: Controls,
    /// Its bytes in the text.
    pub span: Span,
}

/// One condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// On a field.
    Field(FieldCondition),
    /// A group of others.
    Group(Group),
}

/// A key and what its field must be.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldCondition {
    /// The field.
    pub key: Name,
    /// What it must be.
    pub value: Value,
}

/// A name and its place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Name {
    /// The name, unescaped.
    pub text: String,
    /// Its bytes in the text, quotes included.
    pub span: Span,
}

/// What a field must be.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// This; of date and number fields a text may hold expressions, `"<value>;<operator>"`.
    Literal(Literal),
    /// Any of these.
    List(List),
    /// All of what an object of operators says.
    Operators(Operators),
    /// Something that was already reported.
    Invalid,
}

/// A value without parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// What it is.
    pub value: LiteralValue,
    /// Its bytes in the text, quotes included.
    pub span: Span,
}

/// What a literal is.
#[derive(Clone, Debug, PartialEq)]
pub enum LiteralValue {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number, as it was written.
    Number(String),
    /// A text, unescaped.
    Text(String),
}

/// An array of literals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    /// Its elements; what was reported in reading is left out, and its place in the array kept by [`Element::index`].
    pub elements: Vec<Element>,
    /// Its bytes in the text.
    pub span: Span,
}

/// An element of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// Its place in the array, from 0.
    pub index: usize,
    /// Its value.
    pub literal: Literal,
}

/// An object of operators, all of which must hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Operators {
    /// The operators, in their order.
    pub operations: Vec<Operation>,
    /// The object's bytes in the text.
    pub span: Span,
}

/// An operator and its operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// The operator's name.
    pub name: Name,
    /// What it takes; [`Value::Operators`] never stands here.
    pub operand: Value,
}

/// Several branches, of which any or all must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Whether any or all must hold.
    pub junction: Junction,
    /// The bytes of the key `_or` or `_and`.
    pub key_span: Span,
    /// The branches.
    pub branches: Vec<Branch>,
    /// The bytes of the array.
    pub span: Span,
}

/// How the branches of a group are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Junction {
    /// `_or`: at least one must hold.
    Any,
    /// `_and`: all must hold.
    All,
}

impl Junction {
    /// Its key.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Any => "_or",
            Self::All => "_and",
        }
    }
}

/// One branch of a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Branch {
    /// Its place in the group, from 0.
    pub index: usize,
    /// All of them must hold.
    pub conditions: Vec<Condition>,
    /// Its bytes in the text.
    pub span: Span,
}

/// What is answered of the leads that match.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Controls {
    /// `limit`: `"<count>;<offset>"`.
    pub limit: Option<Control<String>>,
    /// `_order`: names of lead fields, with `-` before them from the largest to the smallest.
    pub order: Option<Control<Vec<Name>>>,
    /// `_cursor`: where the page starts; empty for the start.
    pub cursor: Option<Control<String>>,
    /// `_fields`: the members of a lead that are answered.
    pub fields: Option<Control<Vec<Name>>>,
    /// `_campaigns`: `matching` or `all`.
    pub campaigns: Option<Control<String>>,
}

/// A control's value and its place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Control<T> {
    /// The value.
    pub value: T,
    /// Its bytes in the text.
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

impl Filter {
    /// The same filter without places: two texts that say the same give equal trees.
    #[must_use]
    pub fn without_spans(mut self) -> Self {
        forget(&mut self.conditions);
        self.span = Span::default();
        let controls = &mut self.controls;
        for text in [&mut controls.limit, &mut controls.cursor, &mut controls.campaigns].into_iter().flatten() {
            text.span = Span::default();
        }
        for names in [&mut controls.order, &mut controls.fields].into_iter().flatten() {
            names.span = Span::default();
            names.value.iter_mut().for_each(|name| name.span = Span::default());
        }
        self
    }
}

fn forget(conditions: &mut [Condition]) {
    for condition in conditions {
        match condition {
            Condition::Field(field) => {
                field.key.span = Span::default();
                forget_value(&mut field.value);
            }
            Condition::Group(group) => {
                (group.key_span, group.span) = Default::default();
                for branch in &mut group.branches {
                    branch.span = Span::default();
                    forget(&mut branch.conditions);
                }
            }
        }
    }
}

fn forget_value(value: &mut Value) {
    match value {
        Value::Literal(literal) => literal.span = Span::default(),
        Value::List(list) => {
            list.span = Span::default();
            list.elements.iter_mut().for_each(|element| element.literal.span = Span::default());
        }
        Value::Operators(operators) => {
            operators.span = Span::default();
            for operation in &mut operators.operations {
                operation.name.span = Span::default();
                forget_value(&mut operation.operand);
            }
        }
        Value::Invalid => {}
    }
}
