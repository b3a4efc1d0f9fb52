//! Letters without the marks of the languages that are written with the Latin alphabet, for what people type without them.

/// A lower-case letter of the Latin alphabet without its mark, in the letters of A to Z; nothing for a mark that stands behind its
/// letter, and none for all that has no mark. A table of what Unicode decomposes is many times as large, and leaves out `ø` and `ł`.
pub fn unmarked(letter: char) -> Option<&'static str> {
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
        // Marks that stand behind their letter.
        '\u{300}'..='\u{36f}' => "",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::unmarked;

    #[test]
    fn marks_are_left_out() {
        let plain = |text: &str| {
            text.chars().map(|c| unmarked(c).map_or_else(|| c.to_string(), str::to_owned)).collect::<String>()
        };
        assert_eq!(plain("müller"), "muller");
        assert_eq!(plain("mu\u{308}ller"), "muller");
        assert_eq!(plain("straße, łódź, crème brûlée"), "strasse, lodz, creme brulee");
        assert_eq!(plain("москва 7"), "москва 7");
    }
}
