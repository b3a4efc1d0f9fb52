//! Tests word splitting, search syntax, and matches in transcripts.

use proptest::prelude::*;

use super::*;
use crate::api::{CallId, SpeechEngine, Transcript, TranscriptionId, Word};
use crate::diagnostic::{CharRange, Diagnostic, Location};

/// Formats each term as its words, with a star after a prefix.
fn terms(text: &str) -> Vec<String> {
    let search = Search::parse(text, Location::default()).expect(text);
    let term = |term: &Term| term.words.join(" ") + if term.is_prefix { "*" } else { "" };
    search.terms.iter().map(term).collect()
}

/// Formats the diagnostic as `start..end code: detail (hint)`.
fn format_diagnostic(diagnostic: &Diagnostic) -> String {
    let span = diagnostic.span.map(|span| format!("{}..{} ", span.start, span.end)).unwrap_or_default();
    format!("{span}{}: {}", diagnostic.code, diagnostic.summary())
}

fn search_error(text: &str) -> String {
    format_diagnostic(&Search::parse(text, Location::Parameter("search".to_owned())).expect_err(text))
}

/// A segment with words of one second each.
fn segment(side: RecordingSide, start: u32, text: &str) -> Segment {
    let word = |(index, word): (usize, &str)| {
        let start = f64::from(start) + index as f64;
        Word { word: word.to_owned(), start, end: start + 1.0, confidence: 0.9 }
    };
    let words: Vec<Word> = text.split_whitespace().enumerate().map(word).collect();
    let end = words.last().map_or(start.into(), |word| word.end);
    Segment { start: start.into(), end, side, text: text.to_owned(), confidence: 0.9, words }
}

fn transcript(segments: Vec<Segment>) -> Transcript {
    Transcript {
        call_id: CallId(1),
        transcription_id: TranscriptionId(1),
        language: Some("en".to_owned()),
        duration: 600.0,
        segments,
        sides: Vec::new(),
        dropped: Vec::new(),
        redactions: 0,
        engine: SpeechEngine { name: "test".to_owned(), model: "none".to_owned() },
        created_at: chrono::DateTime::UNIX_EPOCH,
    }
}

fn call() -> Transcript {
    transcript(vec![
        segment(RecordingSide::Caller, 0, "Good morning. How can I"),
        segment(RecordingSide::Callee, 3, "Mhm, good."),
        segment(RecordingSide::Caller, 6, "help you? I don't know."),
        segment(RecordingSide::Callee, 12, "Where's my delivery? I want my delivery."),
    ])
}

/// Returns the number of matches, and the passages as `start-end side: text` with the matches in brackets.
fn matches(transcript: &Transcript, text: &str) -> (u32, Vec<String>) {
    let matches = Search::parse(text, Location::default()).expect(text).find(transcript, 5);
    (matches.match_count, matches.passages.iter().map(mark_matches).collect())
}

fn mark_matches(passage: &Passage) -> String {
    let mut text = String::new();
    for (index, c) in passage.text.chars().enumerate() {
        let count =
            |bound: fn(&CharRange) -> usize| passage.matches.iter().filter(|range| bound(range) == index).count();
        text.push_str(&"]".repeat(count(|range| range.end)));
        text.push_str(&"[".repeat(count(|range| range.start)));
        text.push(c);
    }
    let length = passage.text.chars().count();
    text.push_str(&"]".repeat(passage.matches.iter().filter(|range| range.end == length).count()));
    format!("{}-{} {}: {text}", passage.start, passage.end, passage.side)
}

#[test]
fn folds_case_and_accents() {
    assert_eq!(fold("  Ça va, ÉLODIE?  "), "ca va elodie");
    assert_eq!(fold("Straße STRASSE ΟΔΟΣ ὁδός İstanbul"), "strasse strasse οδοσ οδοσ istanbul");
    assert_eq!(fold("e\u{301}te\u{301} été"), "ete ete");
    assert_eq!(fold("3.5 % of 1,000_x, №7 ½"), "3 5 of 1 000 x 7 ½");
    assert_eq!(fold("— … ! 🙂"), "");
}

#[test]
fn apostrophes_join_only_verb_endings() {
    assert_eq!(fold("don't DON’T dont we'll I'm they've you're I'd"), "dont dont dont well im theyve youre id");
    assert_eq!(fold("Ann's l'homme O'Neill 'quoted' rock 'n' roll"), "ann s l homme o neill quoted rock n roll");
    assert_eq!(fold("don't't 'tis don'"), "dont t tis don");
}

#[test]
fn hyphens_separate_words() {
    assert_eq!(fold("twenty-five e-mail co\u{2011}op"), "twenty five e mail co op");
}

#[test]
fn scripts_without_spaces_have_single_character_words() {
    assert_eq!(fold("你好 world世界"), "你 好 world 世 界");
    assert_eq!(fold("𪜀'm I'm"), "𪜀 m im");
    assert_eq!(fold("がカー"), "か\u{3099} カ ー");
    assert_eq!(fold("กินข้าว"), "กิ น ข\u{e49} า ว");
    assert_eq!(fold("हिन्दी 한국"), format!("हिन्दी {}", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}"));
}

#[test]
fn parses_words_phrases_and_prefixes() {
    assert_eq!(terms("Refund  deliver*"), ["refund", "deliver*"]);
    assert_eq!(
        terms(r#""good morning" „guten Tag“ “hi you” «s'il vous» ”å ä” »ja so«"#),
        ["good morning", "guten tag", "hi you", "s il vous", "a a", "ja so"]
    );
    assert_eq!(terms(r#""on deliv*" "to ret"* e-mail don't"#), ["on deliv*", "to ret*", "e mail", "dont"]);
    assert_eq!(terms(r#"say"well done"now"#), ["say", "well done", "now"]);
    assert_eq!(terms("你好 a, - ** a"), ["你 好", "a"]);
}

#[test]
fn reports_invalid_searches() {
    let no_words = "no_words: expected at least one word with letters or digits, found none";
    for text in ["", "  ", "\"\"", "*", "?! …"] {
        assert_eq!(search_error(text), no_words, "{text}");
    }
    assert_eq!(
        search_error("ab „good day"),
        "3..12 unclosed_quote: expected `“` at the end of the phrase, found none (close it with `“`, or leave out the `„`)"
    );
    let star = "`*` is only allowed at the end of a word or phrase";
    let hint = "write the start of a word as `deliver*`";
    assert_eq!(search_error("x de*er"), format!("4..5 misplaced_star: {star} ({hint})"));
    assert_eq!(search_error("*er"), format!("0..1 misplaced_star: {star} ({hint})"));
    let words = |count: usize| (0..count).map(|word| word.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(terms(&words(MAX_TERMS)).len(), MAX_TERMS);
    assert_eq!(search_error(&words(MAX_TERMS + 1)), "too_many: expected at most 32 words and phrases, found 33");
    assert_eq!(terms(&"ä".repeat(MAX_SEARCH_CHARS)).len(), 1);
    assert_eq!(
        search_error(&"ä".repeat(MAX_SEARCH_CHARS + 1)),
        "1000..1001 too_long: expected at most 1000 characters, found 1001"
    );
    let location = Location::Parameter("search".to_owned());
    assert_eq!(Search::parse("", location.clone()).unwrap_err().location, location);
}

#[test]
fn phrases_have_no_syntax() {
    let phrase = |text| Search::phrase(text, Location::default());
    let term = Term { words: vec!["on".to_owned(), "deliv".to_owned()], is_prefix: false };
    assert_eq!(phrase("\"On deliv*").unwrap().terms, [term]);
    assert_eq!(
        format_diagnostic(&phrase("—").unwrap_err()),
        "no_words: expected at least one word with letters or digits, found none"
    );
    assert_eq!(
        format_diagnostic(&phrase(&"a".repeat(MAX_SEARCH_CHARS + 1)).unwrap_err()),
        "1000..1001 too_long: expected at most 1000 characters, found 1001"
    );
}

#[test]
fn finds_words_with_their_times() {
    assert_eq!(matches(&call(), "morning"), (1, vec!["1-2 caller: Good [morning]. How can I".to_owned()]));
    assert_eq!(
        matches(&call(), "good"),
        (2, vec!["0-1 caller: [Good] morning. How can I".to_owned(), "4-5 callee: Mhm, [good].".to_owned(),])
    );
    assert_eq!(matches(&call(), "dont"), (1, vec!["9-10 caller: help you? I [don't] know.".to_owned()]));
    assert_eq!(matches(&call(), "DON’T").0, 1);
    assert_eq!(matches(&call(), "don"), (0, vec![]));
    assert_eq!(matches(&call(), "don*").0, 1);
    assert_eq!(matches(&call(), "where").0, 1);
}

#[test]
fn requires_all_terms() {
    assert_eq!(matches(&call(), "good refund"), (0, vec![]));
    assert_eq!(matches(&transcript(Vec::new()), "good"), (0, vec![]));
}

#[test]
fn matches_in_one_segment_share_a_passage() {
    assert_eq!(
        matches(&call(), "\"my delivery\" deliver*"),
        (4, vec!["13-19 callee: Where's [my [delivery]]? I want [my [delivery]].".to_owned()])
    );
}

#[test]
fn phrases_span_segments_of_the_same_side() {
    assert_eq!(
        matches(&call(), "\"can I help\""),
        (1, vec!["3-7 caller: Good morning. How [can I help] you? I don't know.".to_owned()])
    );
    let expected = MatchPosition { first: WordIndex { segment: 0, word: 3 }, last: WordIndex { segment: 2, word: 0 } };
    assert_eq!(Search::phrase("can I help", Location::default()).unwrap().positions(&call()), [expected]);
    // A phrase can't span two sides.
    assert_eq!(matches(&call(), "\"I mhm\""), (0, vec![]));
    assert_eq!(matches(&call(), "\"good help\""), (0, vec![]));
}

#[test]
fn returns_only_the_first_passages() {
    let transcript_with_many =
        transcript((0..9).map(|index| segment(RecordingSide::Both, index * 10, "yes and yes")).collect());
    let matches = Search::parse("yes", Location::default()).unwrap().find(&transcript_with_many, 2);
    assert_eq!((matches.match_count, matches.passages.len()), (18, 2));
    assert_eq!(matches.passages[1].start, 10.0);
}

#[test]
fn cuts_long_texts_between_words() {
    let long = format!("{}needle {}needle end", "before it ".repeat(30), "after it ".repeat(40));
    let (count, passages) = matches(&transcript(vec![segment(RecordingSide::Callee, 0, &long)]), "needle");
    assert_eq!((count, passages.len()), (2, 2));
    assert_eq!(
        passages[0],
        "60-61 callee: …it before it before it before it before it before it before it before it [needle] after it after \
         it after it after it after it after it after it after it…"
    );
    assert!(passages[1].starts_with("141-142 callee: …"), "{}", passages[1]);
    assert!(passages[1].ends_with("after it [needle] end"), "{}", passages[1]);
    let unspaced =
        transcript(vec![segment(RecordingSide::Both, 0, &format!("{}好{}", "你".repeat(500), "你".repeat(500)))]);
    let passage = &Search::parse("好", Location::default()).unwrap().find(&unspaced, 1).passages[0];
    assert_eq!(passage.text.chars().count(), PASSAGE_CHARS + 2);
    assert_eq!(passage.matches, [CharRange { start: 81, end: 82 }]);
}

#[test]
fn searches_the_text_of_segments_without_words() {
    let without_words = Segment { words: Vec::new(), ..segment(RecordingSide::Both, 5, "Hello there, Ann") };
    assert_eq!(matches(&transcript(vec![without_words]), "ann"), (1, vec!["5-8 both: Hello there, [Ann]".to_owned()]));
}

#[test]
fn displayed_words_keep_the_text_between_them() {
    let shown = |words: &str, text: &str| {
        let segment = Segment { text: text.to_owned(), ..segment(RecordingSide::Both, 0, words) };
        display_words(&segment).into_iter().map(|(before, word)| format!("{before}|{word}")).collect::<Vec<_>>()
    };
    assert_eq!(shown("もし もし。", "もしもし。"), ["|もし", "|もし。"]);
    assert_eq!(shown("Good morning,", "Good  morning,"), ["|Good", "  |morning,"]);
    assert_eq!(shown("もし もし。", "hello"), ["|もし", " |もし。"], "the text doesn't consist of its words");
    assert_eq!(shown("", "Hello."), ["|Hello."]);
}

#[test]
fn searches_words_that_differ_from_the_text() {
    let other = Segment { text: "Something else".to_owned(), ..segment(RecordingSide::Both, 5, "Hello there, Ann") };
    let call = transcript(vec![other]);
    assert_eq!(matches(&call, "else"), (0, vec![]));
    assert_eq!(matches(&call, "ann"), (1, vec!["7-8 both: Hello there, [Ann]".to_owned()]));
    assert_eq!(index_text(&call.segments), "hello there ann");
}

#[test]
fn finds_words_recognized_in_parts() {
    let mut parts = segment(RecordingSide::Both, 0, "I don 't know 你 好");
    parts.text = "I don't know 你好".to_owned();
    let call = transcript(vec![parts]);
    assert_eq!(matches(&call, "dont"), (1, vec!["1-3 both: I [don't] know 你好".to_owned()]));
    assert_eq!(matches(&call, "你好"), (1, vec!["4-6 both: I don't know [你好]".to_owned()]));
}

#[test]
fn returns_the_beginning_without_a_search() {
    assert_eq!(
        opening_passage(&call()).as_ref().map(mark_matches),
        Some("0-5 caller: Good morning. How can I".to_owned())
    );
    let long = "one two three four ".repeat(20);
    let passage = opening_passage(&transcript(vec![segment(RecordingSide::Both, 0, &long)])).unwrap();
    assert!(passage.text.ends_with(" four one two…"), "{}", passage.text);
    assert!(passage.text.chars().count() <= PASSAGE_CHARS + 1);
    assert_eq!(opening_passage(&transcript(vec![segment(RecordingSide::Both, 0, " ")])), None);
}

#[test]
fn index_lists_one_side_after_the_other() {
    assert_eq!(
        index_text(&call().segments),
        "good morning how can i help you i dont know \u{e000} mhm good where s my delivery i want my delivery"
    );
    assert_eq!(fold("a \u{e000} b"), "a b");
    assert_eq!(index_text(&[]), "");
}

proptest! {
    #[test]
    fn folding_is_idempotent(text in "\\PC*") {
        let folded = fold(&text);
        prop_assert_eq!(fold(&folded), folded);
    }

    #[test]
    fn finds_every_word_of_a_text(text in "([a-zéßÑ你กが'’ -]|\\PC){0,60}") {
        let call = transcript(vec![segment(RecordingSide::Caller, 0, &text)]);
        for word in fold(&text).split_whitespace() {
            prop_assert!(Search::phrase(word, Location::default()).unwrap().find(&call, 1).match_count > 0, "{}", word);
        }
    }

    #[test]
    fn finds_a_text_in_itself(text in "([a-zéßÑ你กが'’ -]|\\PC){0,60}") {
        let call = transcript(vec![segment(RecordingSide::Caller, 0, &text)]);
        if let Ok(search) = Search::phrase(&text, Location::default()) {
            let matches = search.find(&call, 5);
            prop_assert!(matches.match_count >= 1);
            prop_assert_eq!(search.positions(&call).len(), matches.match_count as usize);
            for passage in matches.passages {
                let length = passage.text.chars().count();
                prop_assert!(passage.matches.iter().all(|range| range.start < range.end && range.end <= length));
            }
        }
    }

    #[test]
    fn search_parser_never_panics(text in "([a-z\"„“”«»*' -]|\\PC)*") {
        match Search::parse(&text, Location::default()) {
            Ok(search) => prop_assert!(search.terms.iter().all(|term| !term.words.is_empty())),
            Err(diagnostic) => prop_assert!(diagnostic.span.is_none_or(|span| span.start < span.end && span.end <= text.chars().count())),
        }
    }
}
