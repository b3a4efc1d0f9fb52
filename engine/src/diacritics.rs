//! Removes diacritics from Latin letters, so that texts typed without them match.

/// Returns a lower-case Latin letter without its diacritic, as letters from a to z. Empty for a combining mark; `None` for a character
/// without a diacritic. The table of Unicode decompositions isn't used: it is many times as large, and lacks `ø` and `ł`.
pub fn strip_diacritic(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à'..='å' | 'æ' | 'ā' | 'ă' | 'ą' => "a",
        'ç' | 'ć' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ğ' => "g",
        'ì'..='ï' | 'ī' | 'ı' => "i",
        'ł' => "l",
        'ñ' | 'ń' | 'ň' => "n",
        'ò'..='ö' | 'ø' | 'œ' | 'ō' | 'ő' => "o",
        'ř' => "r",
        'ß' => "ss",
        'ś' | 'ş' | 'š' | 'ș' => "s",
        'ţ' | 'ť' | 'ț' => "t",
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        // Combining marks follow their letter.
        '\u{300}'..='\u{36f}' => "",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::strip_diacritic;

    #[test]
    fn removes_diacritics() {
        let strip = |text: &str| {
            text.chars().map(|c| strip_diacritic(c).map_or_else(|| c.to_string(), str::to_owned)).collect::<String>()
        };
        assert_eq!(strip("müller"), "muller");
        assert_eq!(strip("mu\u{308}ller"), "muller");
        assert_eq!(strip("straße, łódź, crème brûlée"), "strasse, lodz, creme brulee");
        assert_eq!(strip("москва 7"), "москва 7");
    }
}
