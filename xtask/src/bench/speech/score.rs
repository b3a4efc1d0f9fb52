//! Word error rate of a transcript.

/// Equivalent spellings: as recognisers write a word, and as in the texts of the recordings.
const SAME: &[(&str, &str)] = &[("mr", "mister"), ("10", "ten"), ("metres", "meters")];

/// Number of spoken words, and of those replaced, left out or added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Spoken words.
    pub words: usize,
    /// Minimum number of edits from the spoken to the recognised words.
    pub errors: usize,
}

impl Score {
    /// Compares the `recognized` text with the one `said`.
    pub fn of(said: &str, recognized: &str) -> Self {
        let (said, recognized) = (words(said), words(recognized));
        Self { words: said.len(), errors: changes(&said, &recognized) }
    }

    /// Adds two scores.
    pub fn and(self, other: Self) -> Self {
        Self { words: self.words + other.words, errors: self.errors + other.errors }
    }

    /// Returns the word error rate in percent.
    pub fn percent(self) -> f64 {
        100.0 * self.errors as f64 / self.words.max(1) as f64
    }
}

/// Returns the words of a text without case and punctuation.
pub fn words(text: &str) -> Vec<String> {
    let plain = text.to_lowercase().replace(['\'', '’'], "");
    let words = plain.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    words
        .map(|word| SAME.iter().find(|(written, _)| *written == word).map_or(word, |(_, said)| *said).to_owned())
        .collect()
}

/// Returns the Levenshtein distance in words.
fn changes(from: &[String], to: &[String]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, word) in from.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(word != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_case_and_punctuation() {
        let said = "and mister john dashwood had not an ill disposed man";
        assert_eq!(
            Score::of(said, "And Mr. John Dashwood had not an ill-disposed man."),
            Score { words: 10, errors: 0 }
        );
    }

    #[test]
    fn each_word_error_counts_once() {
        let errors = |recognized| Score::of("go forward ten meters", recognized).errors;
        assert_eq!(errors("Go forward 10 metres!"), 0);
        assert_eq!(errors("Go forward two meters"), 1);
        assert_eq!(errors("Forward ten meters"), 1);
        assert_eq!(errors("You go forward ten meters"), 1);
        assert_eq!(errors(""), 4);
    }

    #[test]
    fn combined_rate_is_weighted_by_words() {
        let all = Score { words: 10, errors: 1 }.and(Score { words: 30, errors: 1 });
        assert_eq!(all.percent(), 5.0);
    }
}
