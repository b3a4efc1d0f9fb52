use leadscribe_engine::api::Word;

use super::*;
use crate::speech::word_alignment;

fn words(text: &str) -> Vec<RecognizedWord> {
    let word = |(index, word): (usize, &str)| Word {
        word: word.to_owned(),
        start: index as f64,
        end: index as f64 + 0.5,
        confidence: 0.5,
    };
    text.split(' ')
        .enumerate()
        .map(|indexed_word| RecognizedWord { word: word(indexed_word), space: " ".to_owned() })
        .collect()
}

fn redact(text: &str, language: &str) -> String {
    let mut words = words(text);
    redact_card_numbers(&mut words, Some(language));
    word_alignment::text(&words)
}

fn assert_redacted(language: &str, texts: &[&str]) {
    for text in texts {
        assert_eq!(redact(text, language), CARD_NUMBER, "{text}");
    }
}

fn assert_unchanged(language: &str, texts: &[&str]) {
    for text in texts {
        assert_eq!(redact(text, language), *text);
    }
}

#[test]
fn redacts_digits_with_any_separators() {
    assert_redacted(
        "en-US",
        &[
            "4111111111111111",
            "4111 1111 1111 1111.",
            "4111-1111-1111-1111",
            "4-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1",
            "4,111 1,111 11.11 1111 11",
            "4 1 1 1 1 1 1 1 1 1 1 1 1",
            "37 82 82 24 63 10 005",
            "4111. 1111. 1111. 1111.",
            "41x11 1111 11:11 1111,",
            "４１１１ １１１１ １１１１ １１１１",
            "٤١١١ ١١١١ ١١١١ ١١١١",
        ],
    );
}

#[test]
fn redacts_spoken_digits() {
    assert_redacted(
        "en-GB",
        &[
            "Four one one one, one one one one, one one one one, one one one one.",
            "four triple one double one double one, oh eight double oh six nine eleven",
            "forty-one eleven eleven eleven twenty two sixteen sixteen",
            "four thousand one hundred and eleven 1111 then uh 1111 and then 1111",
            "double 4 triple 1 22 33 44 55",
            "5 five 5 five 5 five 5 five 5 five 5 five 5",
        ],
    );
    assert_redacted(
        "de",
        &["vier eins eins eins, null null zwo drei und dann einundzwanzig zweiundvierzig elf vierzehn"],
    );
    assert_redacted("fr", &["quarante et un onze quatre-vingt-dix-neuf zéro deux puis soixante-dix-sept 1111"]);
    assert_redacted("es", &["cuatro uno uno uno y luego cuarenta y dos veintidós 1111 cero cero dos"]);
    assert_redacted("it", &["quarantuno undici ventitré e poi trentotto 1111 zero zero tre"]);
    assert_redacted("pl", &["czterdzieści jeden jedenaście zero zero pięć sześć a potem siedem osiem 1111"]);
    assert_redacted("pt-BR", &["quatro um um meia e depois quarenta e dois 1111 zero zero três"]);
    assert_redacted("nl", &["vier een een een en dan eenentwintig tweeëntwintig 1111 nul nul drie"]);
    assert_redacted("ru", &["четыре один один один, потом сорок два двадцать три 1111 ноль ноль три"]);
}

#[test]
fn keeps_surrounding_words() {
    let mut words = words("My card is 4111 1111, uh, 1111 1111, it expires in May. Two of 5500 0000 0000 0004 please.");
    assert_eq!(redact_card_numbers(&mut words, Some("en")), 2);
    let text = word_alignment::text(&words);
    assert_eq!(text, "My card is [card number] it expires in May. Two of [card number] please.");
    let number = &words[3].word;
    assert_eq!((number.word.as_str(), number.start, number.end), (CARD_NUMBER, 3.0, 7.5));
}

#[test]
fn redacts_following_date_and_security_code() {
    assert_redacted("en", &["4111 1111 1111 1111 12 27 123"]);
}

#[test]
fn keeps_other_numbers() {
    assert_unchanged(
        "en",
        &[
            "Order 20231234, 12 pieces at $1,234,567.89.",
            "I was born in 1984 and moved in 2003.",
            "in 2019, 2020, 2021 and 2022",
            "on 2024-08-15 at 10:30 or 15.8.2024 at 11:45",
            "Call 0151 2345 6789 or 555-123-4567.",
            "+49 151 2345 6789",
            "plus four nine one five one two three four five six seven eight",
            "0049 1512 3456 789",
            "double oh four nine one five one two three four five six seven",
            "one of the two, or three",
            "nineteen eighty-four",
            "one million two hundred thirty-four thousand",
            "Oh, four of them.",
            "111 222 333 444",
        ],
    );
    assert_unchanged("fr", &["zéro six quatre-vingt-dix-neuf quatre-vingt-dix-huit soixante-dix-sept quatre-vingt-un"]);
    assert_unchanged("de", &["null eins fünf eins zwei drei vier fünf sechs sieben acht neun"]);
}

#[test]
fn redacts_card_numbers_after_plus() {
    assert_redacted("en", &["+4111 1111 1111 1111", "plus 3782 822463 10005"]);
}

#[test]
fn redacts_written_digits_in_other_languages() {
    assert_redacted("fi", &["4111 1111 1111 1111"]);
    let mut words = words("yksi 4111 1111 1111 1111");
    assert_eq!(redact_card_numbers(&mut words, None), 1);
}
