//! Words of phone cells that affect the meaning of the digits next to them.

use super::tokenizer::Token;

/// Labels of numbers that may directly precede the digits: `Tel030 23125123`.
const LABELS: &str = "c d f h m n p t w cell cel fax festnetz handy mob mobil mobile ph phone tel telefon telefono teléfono telephone \
    tlf tél wa whatsapp";

const EXTENSION_LABELS: &str = "anexo ankn anknytning app apparat dahili doorkiesnummer durchwahl dw ext exten extension extensión \
    extensão extn int interne interno klappe kl linka lokal lokalnummer mellék nebenstelle nst poste ramal toestel tst wew wewn \
    wewnętrzny x вн внутр доб добавочный داخلي تحويلة 내선 内線 分機 分机 转";

/// Words after the number of an hour, a day or a floor: `17 h`, `9 bis`, `2. Stock`, `12. Mai`.
const UNITS: &str = "uhr h hr hrs hour hours std uur uren noon midnight o a p am pm bis to til till until stock og etage etg floor fl tag tage day days jahr jahre \
    year years x mal jan januar january feb februar february mär mrz märz mar march apr april mai may jun juni june jul juli july aug \
    august sep sept september okt oktober oct october nov november dez dezember dec december";

/// Prefixes of words that say that digits were removed.
const REDACTIONS: &str = "anonym redact zensiert censored geschwärzt maskiert masked verborgen hidden unkenntlich gelöscht deleted \
    entfernt removed gekürzt truncated unvollständig incomplete";

/// Words that say that a number is wrong or mustn't be called. `…` stands for the number or the end of the cell, `*` matches the rest of a
/// word.
const DENIALS: &str = "falsch*|ungültig*|unzutreffend*|veraltet*|deaktiviert*|inaktiv*|fehlnummer|abgeschaltet|abgemeldet|wrong|incorrect|invalid|outdated|disconnected|deactivated|inactive|blocked|gesperrt|dnc|\
    nicht …|nicht mehr|nicht wieder|nicht anrufen|nicht angerufen|nicht kontaktieren|nicht verwenden|nicht benutzen|nicht nutzen|nicht wählen|nicht vergeben|\
    nicht erreichbar|nicht aktuell|nicht gültig|nicht richtig|nicht korrekt|nicht zutreffend|nicht existent|nicht in betrieb|nie anrufen|niemals anrufen|nie wieder|\
    kein anschluss|keine anrufe|außer betrieb|stimmt nicht|\
    not …|not call|not ring|not phone|not contact|not dial|not use|not valid|not a valid|not a working|not exist|not his|not her|not their|not correct|not current|not working|not active|not reachable|\
    not in service|not in use|doesn t exist|don t call|don t ring|don t phone|don t contact|don t dial|don t use|dont call|dont contact|dont use|\
    never call|stop calling|bad number|no calls|no longer|out of service";

/// Words after a denial that restrict it to some hours: `nicht anrufen vor 18 Uhr`.
const RESTRICTIONS: &str =
    "vor nach zwischen am ab an im um bis während before after between on at during until unless except außer";

pub fn is_extension_label(word: &str) -> bool {
    contains_word(EXTENSION_LABELS, word)
}

pub fn is_unit(word: &str) -> bool {
    contains_word(UNITS, word)
}

/// Returns true if letters directly before digits may be part of an identifier or of the number: `ATU12345678`, `O30 23125123`.
pub fn may_belong_to_digits(word: &str) -> bool {
    !contains_word(LABELS, word) && !is_unspaced_script(word.chars().next())
}

/// Returns true if a letter belongs to a script without spaces, so that it may be adjacent to digits.
pub fn is_unspaced_script(letter: Option<char>) -> bool {
    letter.is_some_and(|letter| letter >= '\u{2E80}' || ('\u{E00}'..='\u{EFF}').contains(&letter))
}

/// Returns true if a word consists of symbols for hidden digits: `XX`, `nn`, `●●●`.
pub fn is_mask(word: &str) -> bool {
    const SYMBOLS: &str = "xnyzo×✕✖●○■□█▒▓▪◼⬛⬜▮�⁎∗";
    let mut symbols = word.chars();
    let Some(first) = symbols.next() else { return false };
    let is_repeated = !symbols.as_str().is_empty() && symbols.all(|symbol| symbol == first);
    let is_symbol = SYMBOLS.contains(first);
    is_repeated && (is_symbol || !first.is_alphabetic()) || word.len() == first.len_utf8() && is_symbol
}

/// Returns true if the words of a cell say that digits were removed.
pub fn has_redaction(tokens: &[Token]) -> bool {
    let mut words = tokens.iter().filter_map(|token| match token {
        Token::Word(word) => Some(word),
        _ => None,
    });
    words.any(|word| REDACTIONS.split_whitespace().any(|prefix| word.starts_with(prefix)))
}

/// Returns true if the words of a cell say that its number is wrong or mustn't be called.
pub fn has_denial(tokens: &[Token]) -> bool {
    const NOT_A_WORD: &str = "…";
    let words = tokens.iter().filter_map(|token| match token {
        Token::Word(word) => Some(word.as_str()),
        Token::Digits(_) => Some(NOT_A_WORD),
        Token::Punctuation(_) => None,
    });
    let words: Vec<_> = words.chain([NOT_A_WORD]).collect();
    let is_same = |(word, pattern): (&&str, &str)| match pattern.strip_suffix('*') {
        Some(prefix) => word.starts_with(prefix),
        None => *word == pattern,
    };
    words.iter().any(|word| *word != NOT_A_WORD)
        && DENIALS.split('|').any(|denial| {
            let length = denial.split(' ').count();
            let mut matches =
                words.windows(length).enumerate().filter(|(_, part)| part.iter().zip(denial.split(' ')).all(is_same));
            matches.any(|(index, _)| {
                words.get(index + length).is_none_or(|next_word| !contains_word(RESTRICTIONS, next_word))
            })
        })
}

/// Returns true if digits follow, ignoring punctuation.
pub fn is_followed_by_digits(rest: &[Token]) -> bool {
    let next = rest.iter().find(|token| !matches!(token, Token::Punctuation('.' | ':' | '-' | ' ' | '\t')));
    matches!(next, Some(Token::Digits(_)))
}

fn contains_word(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|entry| entry == word)
}
