//! Values sent to the server, in the type that it inferred for their placeholder.

use std::error::Error;
use std::fmt;

use bytes::BytesMut;
use postgres::types::{Format, IsNull, Kind, ToSql, Type, to_sql_checked};

use crate::storage::sql::Bind;

/// Value of a placeholder. Its `Debug` output, which the driver logs, doesn't show the content.
pub(super) struct Param<'b>(pub &'b Bind);

impl fmt::Debug for Param<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(type_name(self.0))
    }
}

impl ToSql for Param<'_> {
    fn to_sql(&self, to: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        let type_error = || format!("expected a value for {to}, found {}", type_name(self.0));
        match self.0 {
            Bind::Null => Ok(IsNull::Yes),
            Bind::Integer(number) => match *to {
                Type::INT8 => number.to_sql(to, out),
                Type::INT4 => i32::try_from(*number)?.to_sql(to, out),
                Type::INT2 => i16::try_from(*number)?.to_sql(to, out),
                Type::FLOAT8 => (*number as f64).to_sql(to, out),
                Type::NUMERIC => write_text(number, out),
                _ => Err(type_error().into()),
            },
            Bind::Number(number) => match *to {
                Type::FLOAT8 => number.to_sql(to, out),
                Type::NUMERIC => write_text(number, out),
                _ => Err(type_error().into()),
            },
            Bind::Text(text) => match *to {
                Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::UNKNOWN => text.to_sql(to, out),
                Type::JSON | Type::JSONB => write_text(text, out),
                _ => Err(type_error().into()),
            },
            Bind::Boolean(flag) if *to == Type::BOOL => flag.to_sql(to, out),
            Bind::Time(time) if *to == Type::TIMESTAMPTZ => time.to_sql(to, out),
            Bind::Date(day) if *to == Type::DATE => day.to_sql(to, out),
            Bind::Bytes(bytes) if *to == Type::BYTEA => bytes.to_sql(to, out),
            Bind::List(values) if matches!(to.kind(), Kind::Array(element) if *element != Type::NUMERIC) => {
                let values: Vec<_> = values.iter().map(Param).collect();
                values.to_sql(to, out)
            }
            _ => Err(type_error().into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        // The value determines whether a type fits.
        true
    }

    fn encode_format(&self, to: &Type) -> Format {
        match *to {
            Type::NUMERIC | Type::JSON | Type::JSONB => Format::Text,
            _ => Format::Binary,
        }
    }

    to_sql_checked!();
}

/// Values of one column of some rows, as an array.
pub(super) struct Column<'b> {
    pub rows: &'b [Vec<Bind>],
    pub index: usize,
}

impl fmt::Debug for Column<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a column")
    }
}

impl ToSql for Column<'_> {
    fn to_sql(&self, to: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        let values: Vec<_> = self.rows.iter().map(|row| Param(&row[self.index])).collect();
        values.to_sql(to, out)
    }

    fn accepts(to: &Type) -> bool {
        // Array elements are sent in binary form, which isn't implemented for these types.
        matches!(to.kind(), Kind::Array(of) if ![Type::NUMERIC, Type::JSON, Type::JSONB].contains(of))
    }

    to_sql_checked!();
}

/// Writes the value in the server's text format instead of its binary format.
fn write_text(value: &impl ToString, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
    out.extend_from_slice(value.to_string().as_bytes());
    Ok(IsNull::No)
}

fn type_name(bind: &Bind) -> &'static str {
    match bind {
        Bind::Null => "null",
        Bind::Integer(_) => "an integer",
        Bind::Number(_) => "a double",
        Bind::Text(_) => "a string",
        Bind::Boolean(_) => "a boolean",
        Bind::Time(_) => "a timestamp",
        Bind::Date(_) => "a date",
        Bind::Bytes(_) => "bytes",
        Bind::List(_) => "a list",
    }
}
