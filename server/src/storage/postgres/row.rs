//! Values received from the server.

use std::error::Error;

use chrono::NaiveDate;
use leadscribe_engine::api::Timestamp;
use postgres::types::{FromSql, Type};

use crate::storage::Result;
use crate::storage::sql::Row;

pub(super) struct PgRow<'r>(pub &'r postgres::Row);

impl PgRow<'_> {
    fn read<'r, T: FromSql<'r>>(&'r self, column: usize) -> Result<Option<T>> {
        Ok(self.0.try_get(column)?)
    }
}

impl Row for PgRow<'_> {
    fn integer(&self, column: usize) -> Result<Option<i64>> {
        Ok(self.read::<Integer>(column)?.map(|Integer(number)| number))
    }

    fn number(&self, column: usize) -> Result<Option<f64>> {
        self.read(column)
    }

    fn text(&self, column: usize) -> Result<Option<String>> {
        Ok(self.read::<Text>(column)?.map(|Text(text)| text.to_owned()))
    }

    fn boolean(&self, column: usize) -> Result<Option<bool>> {
        self.read(column)
    }

    fn time(&self, column: usize) -> Result<Option<Timestamp>> {
        self.read(column)
    }

    fn date(&self, column: usize) -> Result<Option<NaiveDate>> {
        self.read(column)
    }

    fn bytes(&self, column: usize) -> Result<Option<Vec<u8>>> {
        self.read(column)
    }
}

/// Integer of any width. Sums are `NUMERIC`.
struct Integer(i64);

impl<'r> FromSql<'r> for Integer {
    fn from_sql(sql_type: &Type, raw: &'r [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        match *sql_type {
            Type::INT4 => i32::from_sql(sql_type, raw).map(i64::from),
            Type::INT2 => i16::from_sql(sql_type, raw).map(i64::from),
            Type::NUMERIC => decode_integer(raw).ok_or_else(|| "expected a whole number of 64 bits".into()),
            _ => i64::from_sql(sql_type, raw),
        }
        .map(Self)
    }

    fn accepts(sql_type: &Type) -> bool {
        matches!(*sql_type, Type::INT8 | Type::INT4 | Type::INT2 | Type::NUMERIC)
    }
}

/// Decodes a `NUMERIC` without a fraction: number of base-10,000 digits, weight of the first digit, sign, number of displayed decimals, and
/// the digits.
fn decode_integer(raw: &[u8]) -> Option<i64> {
    let mut shorts = raw.chunks_exact(2).map(|pair| i16::from_be_bytes([pair[0], pair[1]]));
    let (group_count, weight, sign, _scale) = (shorts.next()?, shorts.next()?, shorts.next()?, shorts.next()?);
    let value = shorts.try_fold(0_i128, |value, group| value.checked_mul(10_000)?.checked_add(group.into()))?;
    let zeros = u32::try_from(i32::from(weight) + 1 - i32::from(group_count));
    let value = match zeros {
        Ok(zeros) => value.checked_mul(10_000_i128.checked_pow(zeros)?)?,
        Err(_) if value == 0 => 0,
        Err(_) => return None,
    };
    match sign {
        0 => i64::try_from(value).ok(),
        0x4000 => i64::try_from(-value).ok(),
        _ => None,
    }
}

/// Text, or JSON as text.
struct Text<'r>(&'r str);

impl<'r> FromSql<'r> for Text<'r> {
    fn from_sql(sql_type: &Type, raw: &'r [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        match (sql_type, raw) {
            // The binary form starts with its version number.
            (&Type::JSONB, [1, text @ ..]) => Ok(Self(std::str::from_utf8(text)?)),
            (&Type::JSONB, _) => Err("expected version 1 of the binary form of jsonb".into()),
            _ => Ok(Self(std::str::from_utf8(raw)?)),
        }
    }

    fn accepts(sql_type: &Type) -> bool {
        matches!(
            *sql_type,
            Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::UNKNOWN | Type::JSON | Type::JSONB
        )
    }
}
