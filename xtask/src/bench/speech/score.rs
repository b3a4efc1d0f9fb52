//! Word error rate of a transcript.

/// Equivalent spellings: as recognizers write a word, and as in the texts of the recordings.
const EQUIVALENT_SPELLINGS: &[(&str, &str)] = &[("mr", "mister"), ("10", "ten"), ("metres", "meters")];

/// Number of spoken words, and of words replaced, left out or added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Spoken words.
    pub words: usize,
    /// Minimum number of edits from the spoken to the recognized words.
    pub errors: usize,
}

impl Score {
    /// Compares the `recognized` text with the one `spoken`.
    pub fn compare(spoken: &str, recognized: &str) -> Self {
        let (spoken, recognized) = (words(spoken), words(recognized));
        Self { words: spoken.len(), errors: strsim::generic_levenshtein(&spoken, &recognized) }
    }

    /// Adds two scores.
    pub fn add(self, other: Self) -> Self {
        Self { words: self.words + other.words, errors: self.errors + other.errors }
    }

    /// Returns the word error rate in percent.
    pub fn percent(self) -> f64 {
        100.0 * self.errors as f64 / self.words.max(1) as f64
    }
}

/// Returns the words of a text without case and punctuation.
pub fn words(text: &str) -> Vec<String> {
    let normalized = text.to_lowercase().replace(['\'', '’'], "");
    let words = normalized.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    words
        .map(|word| {
            EQUIVALENT_SPELLINGS
                .iter()
                .find(|(spelling, _)| *spelling == word)
                .map_or(word, |(_, spoken)| *spoken)
                .to_owned()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_case_and_punctuation() {
        let spoken = "and mister john dashwood had not an ill disposed man";
        assert_eq!(
            Score::compare(spoken, "And Mr. John Dashwood had not an ill-disposed man."),
            Score { words: 10, errors: 0 }
        );
    }

    #[test]
    fn each_word_error_counts_once() {
        let count_errors = |recognized| Score::compare("go forward ten meters", recognized).errors;
        assert_eq!(count_errors("Go forward 10 metres!"), 0);
        assert_eq!(count_errors("Go forward two meters"), 1);
        assert_eq!(count_errors("Forward ten meters"), 1);
        assert_eq!(count_errors("You go forward ten meters"), 1);
        assert_eq!(count_errors(""), 4);
    }

    #[test]
    fn combined_rate_is_weighted_by_words() {
        let total = Score { words: 10, errors: 1 }.add(Score { words: 30, errors: 1 });
        assert_eq!(total.percent(), 5.0);
    }
}
