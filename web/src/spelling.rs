//! Tolerant text search: ignores umlauts, accents and word endings, and treats `ue` as `ü`.

use leadscribe_engine::host;
use leadscribe_engine::letters::unmarked;

/// A parsed search text.
pub struct Sought(Vec<Word>);

struct Word {
    folded: String,
    stem: String,
}

impl Sought {
    pub fn new(typed: &str) -> Self {
        let word = |word: &str| Word { folded: word.to_owned(), stem: stem(word) };
        Self(folded(typed).split_whitespace().map(word).collect())
    }

    /// True if a text contains each word, or a word with the same stem. An empty search matches every text.
    pub fn is_in(&self, text: &str) -> bool {
        let text = folded(text);
        let mut stems = None;
        let mut has_stem = |sought: &str| {
            let stems = stems.get_or_insert_with(|| words(&text).map(stem).collect::<Vec<_>>());
            sought.len() >= LEAST_STEM && stems.iter().any(|stem| stem.starts_with(sought))
        };
        self.0.iter().all(|word| text.contains(&word.folded) || has_stem(&word.stem))
    }

    /// True if each word occurs in the name of an item or in the name of its kind, as in `campaign winter`. The kind alone
    /// doesn't match.
    pub fn names(&self, kind: &str, name: &str) -> bool {
        self.is_in(name) || !self.is_in(kind) && self.is_in(&format!("{kind} {name}"))
    }
}

/// Minimum length of a stem. Shorter stems match too many words.
const LEAST_STEM: usize = 3;

/// Returns the text in lower case without diacritics.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars().flat_map(char::to_lowercase) {
        match unmarked(letter) {
            Some(letters) => plain.push_str(letters),
            None => plain.push(letter),
        }
    }
    plain
}

/// Like [`plain`], and replaces `ae`, `oe` and `ue` by single letters. The result is for comparison only.
fn folded(text: &str) -> String {
    DIGRAPHS.iter().fold(plain(text), |text, (two, _, one)| text.replace(two, one))
}

/// Two-letter spelling of an umlaut, the umlaut, and the letter without diacritics.
type Digraph = (&'static str, &'static str, &'static str);

const DIGRAPHS: [Digraph; 3] = [("ae", "ä", "a"), ("oe", "ö", "o"), ("ue", "ü", "u")];

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Removes English and German inflections from a folded word: `dunkel` and `dunkle` have the same stem.
fn stem(word: &str) -> String {
    let ends = ["en", "er", "em", "es", "e", "n", "s"];
    let is_long = |stem: &&str| stem.chars().count() >= LEAST_STEM;
    let stem = ends.iter().find_map(|end| word.strip_suffix(end).filter(is_long)).unwrap_or(word);
    match stem.strip_suffix("el").filter(is_long) {
        Some(start) => format!("{start}l"),
        None => stem.to_owned(),
    }
}

/// Letters and their most frequent forms with diacritics in names.
const MARKED: [(char, &[char]); 10] = [
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
const MOST: usize = 14;

/// Returns alternative spellings of a typed name, the likeliest first. For searches that distinguish case and diacritics.
pub fn spellings(word: &str) -> Vec<String> {
    let word = host::lower(word);
    let replaced = |from: fn(&Digraph) -> (&'static str, &'static str)| {
        DIGRAPHS.iter().map(from).fold(word.clone(), |text, (from, to)| text.replace(from, to))
    };
    let mut found = vec![
        replaced(|(two, marked, _)| (two, marked)),
        replaced(|(two, marked, _)| (marked, two)),
        replaced(|(_, marked, one)| (marked, one)),
        replaced(|(_, marked, one)| (one, marked)),
        word.replace("ss", "ß"),
        word.replace('ß', "ss"),
    ];
    let longest = MARKED.iter().map(|(_, marks)| marks.len()).max().unwrap_or_default();
    for rank in 0..longest {
        for (place, letter) in word.char_indices() {
            let marks = MARKED.iter().find(|(plain, _)| *plain == letter).map(|(_, marks)| *marks);
            if let Some(mark) = marks.and_then(|marks| marks.get(rank)) {
                found.push(format!("{}{mark}{}", &word[..place], &word[place + letter.len_utf8()..]));
            }
        }
    }
    // Databases ignore case for ASCII letters only. Names begin with a capital letter, so other first letters are capitalized.
    let mut others: Vec<String> = Vec::new();
    for one in found.iter().map(|one| capital(one)) {
        if one != word && !others.contains(&one) && others.len() < MOST {
            others.push(one);
        }
    }
    others
}

/// Capitalizes the first letter if it isn't an ASCII letter.
fn capital(word: &str) -> String {
    match word.chars().next() {
        Some(first) if !first.is_ascii() && first != 'ß' => host::capitalized(word),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(typed: &str, text: &str) -> bool {
        Sought::new(typed).is_in(text)
    }

    #[test]
    fn ignores_diacritics_and_accepts_digraphs() {
        for typed in ["müller", "Mueller", "muller", "MÜLLER", "mull", "mu\u{308}ller"] {
            assert!(finds(typed, "Jürgen Müller"), "{typed}");
            assert!(finds(typed, "Mueller GmbH"), "{typed}");
        }
        assert!(finds("strasse", "Lange Straße") && finds("straße", "Lange Strasse"));
        assert!(finds("rene lodz", "Łódź, René"));
        assert!(!finds("miller", "Müller") && !finds("muller", "Mahler"));
    }

    #[test]
    fn matches_the_name_with_its_kind() {
        let finds = |typed: &str| Sought::new(typed).names("Campaigns", "Winter offer");
        assert!(finds("winter") && finds("campaign winter") && finds("winter campaigns"));
        assert!(!finds("campaign") && !finds("campaign summer"));
    }

    #[test]
    fn matches_words_by_stem() {
        assert!(finds("dunkel", "Dunkle Darstellung") && finds("dunkle", "dunkel"));
        assert!(finds("hell", "Helle Darstellung") && finds("helles", "Helle Darstellung"));
        assert!(finds("kampagnen anlegen", "Kampagne anlegen") && finds("calls send", "Send a call"));
        assert!(!finds("dark", "Dunkle Darstellung") && !finds("es", "Anruf"));
        assert!(finds("", "anything"));
    }

    #[test]
    fn returns_few_likely_spellings() {
        assert!(spellings("mueller").contains(&"müller".to_owned()));
        assert!(spellings("muller").contains(&"müller".to_owned()));
        assert!(
            spellings("Müller").contains(&"mueller".to_owned()) && spellings("Müller").contains(&"muller".to_owned())
        );
        assert!(
            spellings("ozdemir").contains(&"Özdemir".to_owned())
                && spellings("özdemir").contains(&"Özdemir".to_owned())
        );
        assert!(spellings("andre").contains(&"andré".to_owned()) && spellings("weiss").contains(&"weiß".to_owned()));
        assert!(spellings("noel").contains(&"noël".to_owned()) && spellings("umuller").contains(&"Ümüller".to_owned()));
        assert!(spellings("gros").contains(&"groß".to_owned()) && spellings("lukasz").contains(&"Łukasz".to_owned()));
        assert_eq!(spellings("dyck").len(), 1, "with a cedilla");
        assert_eq!(spellings("Kt"), Vec::<String>::new());
        assert!(spellings("aeouncaeouncaeounc").len() <= MOST);
    }
}
