//! Names that can be pronounced, and moments as the data set has them.

use std::collections::HashSet;

/// A word of `syllables`, another for each `k`.
pub fn word(mut k: u64, syllables: usize) -> String {
    const CONSONANTS: &[&str] = &["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "sh", "j"];
    const VOWELS: &[&str] = &["a", "e", "i", "o", "u"];
    let mut word = String::new();
    for _ in 0..syllables {
        word += CONSONANTS[(k % 16) as usize];
        k /= 16;
        word += VOWELS[(k % 5) as usize];
        k /= 5;
    }
    word[..1].to_uppercase() + &word[1..]
}

/// 2,000 first names, all distinct.
pub fn first_names() -> Vec<String> {
    let mut seen = HashSet::new();
    (0..2_000)
        .map(|k| {
            let name = word(k * 3 + 7, 2 + (k % 2) as usize);
            if seen.insert(name.clone()) { name } else { name + &word(k, 3).to_lowercase() }
        })
        .collect()
}

/// 20,000 last names, all distinct.
pub fn last_names() -> Vec<String> {
    (0..20_000).map(|k| word(k * 311 + 1_000, 3) + "ov").collect()
}
