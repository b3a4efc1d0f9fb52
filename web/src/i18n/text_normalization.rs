//! Tolerant text search: ignores umlauts, accents and word endings, and treats `ue` as `ü`.

use leadscribe_engine::diacritics::strip_diacritic;
use leadscribe_engine::host;

/// A parsed search text.
pub struct TextQuery(Vec<Word>);

struct Word {
    folded: String,
    stem: String,
}

impl TextQuery {
    pub fn new(input: &str) -> Self {
        let word = |word: &str| Word { folded: word.to_owned(), stem: stem(word) };
        Self(fold_digraphs(input).split_whitespace().map(word).collect())
    }

    /// True if a text contains each word, or a word with the same stem. An empty search matches every text.
    pub fn matches(&self, text: &str) -> bool {
        let text = fold_digraphs(text);
        let mut stems = None;
        let mut has_stem = |query_stem: &str| {
            let stems = stems.get_or_insert_with(|| split_words(&text).map(stem).collect::<Vec<_>>());
            query_stem.len() >= MIN_STEM_LENGTH && stems.iter().any(|stem| stem.starts_with(query_stem))
        };
        self.0.iter().all(|word| text.contains(&word.folded) || has_stem(&word.stem))
    }

    /// True if each word occurs in the name of an item or in the name of its kind, as in `campaign winter`. The kind
    /// alone doesn't match.
    pub fn matches_item(&self, kind: &str, name: &str) -> bool {
        self.matches(name) || !self.matches(kind) && self.matches(&format!("{kind} {name}"))
    }
}

/// Minimum length of a stem. Shorter stems match too many words.
const MIN_STEM_LENGTH: usize = 3;

/// Returns the text in lower case without diacritics.
pub fn normalize(text: &str) -> String {
    let mut normalized = String::with_capacity(text.len());
    for letter in text.chars().flat_map(char::to_lowercase) {
        match strip_diacritic(letter) {
            Some(letters) => normalized.push_str(letters),
            None => normalized.push(letter),
        }
    }
    normalized
}

/// Like [`normalize`], and replaces `ae`, `oe` and `ue` with single letters. The result is for comparison only.
fn fold_digraphs(text: &str) -> String {
    DIGRAPHS.iter().fold(normalize(text), |text, (digraph, _, letter)| text.replace(digraph, letter))
}

/// Two-letter spelling of an umlaut, the umlaut, and the letter without diacritics.
type Digraph = (&'static str, &'static str, &'static str);

const DIGRAPHS: [Digraph; 3] = [("ae", "ä", "a"), ("oe", "ö", "o"), ("ue", "ü", "u")];

fn split_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Removes English and German inflections from a folded word: `dunkel` and `dunkle` have the same stem.
fn stem(word: &str) -> String {
    let suffixes = ["en", "er", "em", "es", "e", "n", "s"];
    let is_long = |stem: &&str| stem.chars().count() >= MIN_STEM_LENGTH;
    let stem = suffixes.iter().find_map(|suffix| word.strip_suffix(suffix).filter(is_long)).unwrap_or(word);
    match stem.strip_suffix("el").filter(is_long) {
        Some(start) => format!("{start}l"),
        None => stem.to_owned(),
    }
}

/// Letters and their most frequent forms with diacritics in names.
const DIACRITIC_FORMS: [(char, &[char]); 10] = [
    ('a', &['ä', 'á']),
    ('o', &['ö', 'ø', 'ó']),
    ('u', &['ü', 'ú']),
    ('e', &['é', 'è', 'ë']),
    ('i', &['í', 'ï', 'ı']),
    ('n', &['ñ']),
    ('c', &['ç']),
    ('l', &['ł']),
    ('s', &['ß', 'š']),
    ('z', &['ż', 'ž']),
];

/// Maximum number of spellings of a word.
const MAX_SPELLINGS: usize = 14;

/// Returns alternative spellings of a typed name, the likeliest first. For searches that distinguish case and
/// diacritics.
pub fn alternative_spellings(word: &str) -> Vec<String> {
    let word = host::to_lower(word);
    let replaced = |from: fn(&Digraph) -> (&'static str, &'static str)| {
        DIGRAPHS.iter().map(from).fold(word.clone(), |text, (from, to)| text.replace(from, to))
    };
    let mut candidates = vec![
        replaced(|(digraph, umlaut, _)| (digraph, umlaut)),
        replaced(|(digraph, umlaut, _)| (umlaut, digraph)),
        replaced(|(_, umlaut, letter)| (umlaut, letter)),
        replaced(|(_, umlaut, letter)| (letter, umlaut)),
        word.replace("ss", "ß"),
        word.replace('ß', "ss"),
    ];
    let max_forms = DIACRITIC_FORMS.iter().map(|(_, forms)| forms.len()).max().unwrap_or_default();
    for rank in 0..max_forms {
        for (offset, letter) in word.char_indices() {
            let forms = DIACRITIC_FORMS.iter().find(|(base_letter, _)| *base_letter == letter).map(|(_, forms)| *forms);
            if let Some(form) = forms.and_then(|forms| forms.get(rank)) {
                candidates.push(format!("{}{form}{}", &word[..offset], &word[offset + letter.len_utf8()..]));
            }
        }
    }
    // Databases ignore case for ASCII letters only. Names begin with a capital letter, so other first letters are
    // capitalized.
    let mut unique: Vec<String> = Vec::new();
    for candidate in candidates.iter().map(|candidate| capitalize_non_ascii(candidate)) {
        if candidate != word && !unique.contains(&candidate) && unique.len() < MAX_SPELLINGS {
            unique.push(candidate);
        }
    }
    unique
}

/// Capitalizes the first letter if it isn't an ASCII letter.
fn capitalize_non_ascii(word: &str) -> String {
    match word.chars().next() {
        Some(first) if !first.is_ascii() && first != 'ß' => host::capitalize_first(word),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::i18n::text_normalization::*;

    fn matches(input: &str, text: &str) -> bool {
        TextQuery::new(input).matches(text)
    }

    #[test]
    fn ignores_diacritics_and_accepts_digraphs() {
        for input in ["müller", "Mueller", "muller", "MÜLLER", "mull", "mu\u{308}ller"] {
            assert!(matches(input, "Jürgen Müller"), "{input}");
            assert!(matches(input, "Mueller GmbH"), "{input}");
        }
        assert!(matches("strasse", "Lange Straße") && matches("straße", "Lange Strasse"));
        assert!(matches("rene lodz", "Łódź, René"));
        assert!(!matches("miller", "Müller") && !matches("muller", "Mahler"));
    }

    #[test]
    fn matches_the_name_with_its_kind() {
        let matches = |input: &str| TextQuery::new(input).matches_item("Campaigns", "Winter offer");
        assert!(matches("winter") && matches("campaign winter") && matches("winter campaigns"));
        assert!(!matches("campaign") && !matches("campaign summer"));
    }

    #[test]
    fn matches_words_by_stem() {
        assert!(matches("dunkel", "Dunkle Darstellung") && matches("dunkle", "dunkel"));
        assert!(matches("hell", "Helle Darstellung") && matches("helles", "Helle Darstellung"));
        assert!(matches("kampagnen anlegen", "Kampagne anlegen") && matches("calls send", "Send a call"));
        assert!(!matches("dark", "Dunkle Darstellung") && !matches("es", "Anruf"));
        assert!(matches("", "anything"));
    }

    #[test]
    fn returns_few_likely_spellings() {
        for (typed, spelling) in [
            ("mueller", "müller"),
            ("muller", "müller"),
            ("Müller", "mueller"),
            ("Müller", "muller"),
            ("ozdemir", "Özdemir"),
            ("andre", "andré"),
            ("weiss", "weiß"),
            ("noel", "noël"),
            ("umuller", "Ümüller"),
            ("lukasz", "Łukasz"),
        ] {
            assert!(alternative_spellings(typed).contains(&spelling.to_owned()), "{typed}");
        }
        assert_eq!(alternative_spellings("dyck").len(), 1, "with a cedilla");
        assert_eq!(alternative_spellings("Kt"), Vec::<String>::new());
        assert!(alternative_spellings("aeouncaeouncaeounc").len() <= MAX_SPELLINGS);
    }
}
