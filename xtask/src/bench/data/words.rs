//! Pronounceable names.

use std::collections::HashSet;

/// Returns the word number `index` with `syllables` syllables.
pub fn word(mut index: u64, syllables: usize) -> String {
    const CONSONANTS: &[&str] = &["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "sh", "j"];
    const VOWELS: &[&str] = &["a", "e", "i", "o", "u"];
    let mut word = String::new();
    for _ in 0..syllables {
        word += CONSONANTS[(index % 16) as usize];
        index /= 16;
        word += VOWELS[(index % 5) as usize];
        index /= 5;
    }
    word[..1].to_uppercase() + &word[1..]
}

/// Returns 2,000 distinct first names.
pub fn first_names() -> Vec<String> {
    let mut seen = HashSet::new();
    (0..2_000)
        .map(|k| {
            let name = word(k * 3 + 7, 2 + (k % 2) as usize);
            if seen.insert(name.clone()) { name } else { name + &word(k, 3).to_lowercase() }
        })
        .collect()
}

/// Returns 20,000 distinct last names.
pub fn last_names() -> Vec<String> {
    (0..20_000).map(|k| word(k * 311 + 1_000, 3) + "ov").collect()
}
