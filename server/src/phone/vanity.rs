//! Vanity numbers: letters that stand for the digits on telephone keys.
//!
//! They are used in toll-free numbers of North America (`1-800-FLOWERS`), and in German 0700, 0800 and 0900 numbers. The letters are at the
//! end of the cell and give the number exactly its required length; other letters are words.

use super::words;

/// Keypad digits of the letters A to Z (ITU-T E.161).
const KEYPAD_DIGITS: &[u8; 26] = b"22233344455566677778889999";
/// North American toll-free codes.
const TOLL_FREE: [&str; 7] = ["800", "833", "844", "855", "866", "877", "888"];

/// Returns the digits of a vanity number with its calling code; `None` for other cells. `calling_code` is the code of the
/// country in which the cell is read.
pub fn parse_vanity(cell: &str, calling_code: i32) -> Option<String> {
    let cell = cell.trim();
    let (number, letters) = cell.split_at(cell.find(|character: char| character.is_ascii_alphabetic())?);
    let is_number =
        |character: char| character.is_ascii_digit() || matches!(character, '+' | '-' | ' ' | '.' | '(' | ')');
    let is_word =
        letters.split('-').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphabetic()));
    // After a space, a word in lower case may be a remark.
    let is_remark = number.ends_with(' ') && letters.bytes().any(|letter| letter.is_ascii_lowercase());
    // `1-800-555-XXXX` hides its digits.
    let is_masked = letters.split('-').any(|part| words::is_mask(&part.to_ascii_lowercase()));
    if !number.chars().all(is_number) || !is_word || is_remark || is_masked {
        return None;
    }
    let number_digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let code = match number.starts_with('+') {
        true if number_digits.starts_with('1') => 1,
        true if number_digits.starts_with("49") => 49,
        true => return None,
        false => calling_code,
    };
    let keys: String = letters.bytes().filter(u8::is_ascii_alphabetic).map(keypad_digit).collect();
    match code {
        1 => {
            let national = number_digits.strip_prefix('1').unwrap_or(&number_digits);
            let (area, first_digits) = national.split_at_checked(3)?;
            // Forms such as `1-800-4-FLOWER` have no space before the word.
            let is_one_word = first_digits.is_empty() || !number.ends_with(' ');
            let is_complete = TOLL_FREE.contains(&area) && first_digits.len() + keys.len() == 7 && keys.len() >= 3;
            (is_one_word && is_complete).then(|| format!("1{national}{keys}"))
        }
        49 => {
            let service = if number.starts_with('+') {
                number_digits.strip_prefix("49")?
            } else {
                number_digits.strip_prefix('0')?
            };
            let length = match service {
                "700" => 8,
                "800" | "900" => 7,
                _ => return None,
            };
            (keys.len() == length && !letters.contains('-')).then(|| format!("49{service}{keys}"))
        }
        _ => None,
    }
}

fn keypad_digit(letter: u8) -> char {
    char::from(KEYPAD_DIGITS[usize::from(letter.to_ascii_uppercase() - b'A')])
}
