//! Responses as servers send them.

use serde_json::{Value, json};

use super::TranscriptionResponse;
use crate::speech::{RecognizedSegment, word_alignment};

fn recognized(response: Value) -> Vec<RecognizedSegment> {
    serde_json::from_value::<TranscriptionResponse>(response).expect("a response").into_segments(10.0)
}

/// Formats each segment of a response for a piece of 10 s, with its words and their times.
fn format_segments(response: Value) -> Vec<String> {
    let format_segment = |segment: RecognizedSegment| {
        let head = format!("{}-{} {}:", segment.start, segment.end, segment.text);
        let words = word_alignment::align_words(segment, 0.0);
        let words =
            words.iter().map(|aligned| format!(" {}@{}-{}", aligned.word.word, aligned.word.start, aligned.word.end));
        head + &words.collect::<String>()
    };
    recognized(response).into_iter().map(format_segment).collect()
}

#[test]
fn listed_words_take_punctuation_from_the_text() {
    let response = json!({
        "text": "Hello, you. Bye!",
        "segments": [
            { "start": 0.0, "end": 2.0, "text": " Hello, you.", "avg_logprob": 0.0 },
            { "start": 2.0, "end": 4.0, "text": " Bye!", "avg_logprob": -1.0 },
        ],
        "words": [
            { "word": "Hello", "start": 0.5, "end": 1.0 },
            { "word": "you", "start": 1.0, "end": 2.5 },
            { "word": "Bye", "start": 3.0, "end": 3.5 },
        ],
    });
    assert_eq!(format_segments(response.clone()), ["0-2 Hello, you.: Hello,@0.5-1 you.@1-2", "2-4 Bye!: Bye!@3-3.5"]);
    let segments = recognized(response);
    assert_eq!(segments[0].confidence, 1.0);
    assert_eq!(segments[1].words[0].confidence, (-1.0_f64).exp());
}

#[test]
fn unmatched_words_are_assigned_by_time() {
    let response = json!({
        "text": "今天 天气 很好",
        "segments": [
            { "start": 0, "end": 2, "text": "今天天气" },
            { "start": 2, "end": 4, "text": "很好" },
        ],
        "words": [
            { "word": " 今天", "start": 0, "end": 1 },
            { "word": "天气", "start": 1, "end": 2 },
            { "word": " ", "start": 2, "end": 2 },
            { "word": "很好", "start": 2, "end": 12 },
        ],
    });
    assert_eq!(format_segments(response), ["0-2 今天天气: 今天@0-1 天气@1-2", "2-4 很好: 很好@2-4"]);
}

#[test]
fn accepts_segments_or_words_alone() {
    let segments = json!([{ "start": 1, "end": 3, "text": "abc d" }]);
    assert_eq!(format_segments(json!({ "text": "abc d", "segments": segments })), ["1-3 abc d: abc@1-2.5 d@2.5-3"]);
    let words = json!([{ "word": "abc", "start": 1, "end": 2 }, { "word": "d", "start": 2, "end": 4 }]);
    let response = json!({ "text": "Abc, d.", "segments": null, "words": words });
    assert_eq!(format_segments(response), ["1-4 Abc, d.: Abc,@1-2 d.@2-4"]);
    assert_eq!(format_segments(json!({ "text": "abc de" })), ["0-10 abc de: abc@0-6 de@6-10"]);
    assert_eq!(recognized(json!({ "text": "abc" }))[0].confidence, 0.5);
}

#[test]
fn words_of_segments_keep_their_probability() {
    let words = json!([{ "word": " abc", "start": 1, "end": 2, "probability": 0.25 }]);
    let segment = json!({ "start": 1, "end": 3, "text": "abc", "avg_logprob": 0.0, "words": words });
    let segments = recognized(json!({ "text": "abc", "segments": [segment] }));
    assert_eq!((segments[0].words[0].word.as_str(), segments[0].words[0].confidence), ("abc", 0.25));
}

#[test]
fn silence_has_no_words() {
    let segment = |text: &str, avg_logprob: f64| json!({ "start": 0, "end": 1, "text": text, "avg_logprob": avg_logprob, "no_speech_prob": 0.7 });
    let response = |segments: Value| json!({ "text": "", "segments": segments });
    assert_eq!(format_segments(response(json!([]))), [""; 0]);
    assert_eq!(format_segments(response(json!([segment(" [BLANK_AUDIO]", 0.0), segment("(music)", 0.0)]))), [""; 0]);
    assert_eq!(format_segments(response(json!([segment("Thank you.", -1.5)]))), [""; 0]);
    assert_eq!(format_segments(response(json!([segment("Yes.", -0.5)]))), ["0-1 Yes.: Yes.@0-1"]);
}

#[test]
fn times_stay_within_the_piece_and_in_order() {
    let words = json!([{ "word": "a", "start": -0.5, "end": 5 }, { "word": "b", "start": 4, "end": 30 }]);
    let response = json!({ "text": "a b", "segments": [{ "start": -0.5, "end": 30, "text": "a b" }], "words": words });
    assert_eq!(format_segments(response), ["0-10 a b: a@0-5 b@5-10"]);
}

#[test]
fn impossible_times_count_as_missing() {
    let segment =
        |start: Value, end: Value| json!({ "text": "a", "segments": [{ "start": start, "end": end, "text": "a" }] });
    for (start, end) in [
        (json!(30), json!(2)),
        (json!(20), json!(25)),
        (json!(-3), json!(1)),
        (json!(0), json!(0)),
        (json!(0), json!(99)),
        (json!(null), json!(null)),
        (json!("soon"), json!({ "seconds": 2 })),
        (json!("NaN"), json!("inf")),
    ] {
        assert_eq!(format_segments(segment(start.clone(), end.clone())), ["0-10 a: a@0-10"], "{start} {end}");
    }
    assert_eq!(format_segments(segment(json!(1), json!(null))), ["1-10 a: a@1-10"]);
    assert_eq!(format_segments(segment(json!(null), json!("4.5"))), ["0-4.5 a: a@0-4.5"]);
    assert_eq!(format_segments(segment(json!("1"), json!(" 2 "))), ["1-2 a: a@1-2"]);
}

#[test]
fn detects_time_unit_by_duration() {
    for unit in [1.0, 1e3, 1e6, 1e9] {
        let segments = json!([
            { "start": 0, "end": 2.0 * unit, "text": " Good morning." },
            { "start": 2.0 * unit, "end": 5.0 * unit, "text": " Hi.", "words": null },
        ]);
        let words = json!([
            { "word": "Good", "start": 0.5 * unit, "end": unit },
            { "word": "morning", "start": unit, "end": 2.0 * unit },
            { "word": "Hi", "start": 3.0 * unit, "end": 4.0 * unit },
        ]);
        let response = json!({ "text": "Good morning. Hi.", "segments": segments, "words": words });
        let expected = ["0-2 Good morning.: Good@0.5-1 morning.@1-2", "2-5 Hi.: Hi.@3-4"];
        assert_eq!(format_segments(response.clone()), expected, "{unit}");
        // Words and segments may use different units.
        let mut mixed = response;
        mixed["segments"] =
            json!([{ "start": 0, "end": 2, "text": "Good morning." }, { "start": 2, "end": 5, "text": "Hi." }]);
        assert_eq!(format_segments(mixed), expected, "{unit}");
    }
}

#[test]
fn segments_without_times_share_the_time_by_length() {
    let segments = json!([
        { "text": "ab", "avg_logprob": "-0.5" },
        { "text": "abcd", "start": "x" },
        { "text": "ab", "start": 6, "end": 8 },
        { "text": "ab", "end": null },
        { "start": 9 },
    ]);
    let response = json!({ "text": "ab abcd ab ab", "segments": segments });
    assert_eq!(
        format_segments(response.clone()),
        ["0-2 ab: ab@0-2", "2-6 abcd: abcd@2-6", "6-8 ab: ab@6-8", "8-9 ab: ab@8-9"]
    );
    assert_eq!(recognized(response)[0].confidence, (-0.5_f64).exp());
}

#[test]
fn word_without_times_fills_the_remaining_time() {
    let words = json!([{ "word": " Good", "start": 0.0, "end": 0.5 }, { "word": " morning." }]);
    let segment = json!({ "start": 0.0, "end": 1.5, "text": " Good morning.", "words": words });
    let response = json!({ "text": "Good morning.", "segments": [segment] });
    assert_eq!(format_segments(response), ["0-1.5 Good morning.: Good@0-0.5 morning.@0.5-1.5"]);
}

#[test]
fn missing_text_is_built_from_words() {
    let words = json!([{ "word": "Good", "start": 0, "end": 1 }, { "word": "morning.", "start": 1, "end": 2 }]);
    assert_eq!(format_segments(json!({ "words": words })), ["0-2 Good morning.: Good@0-1 morning.@1-2"]);
    let segments = json!([{ "start": 0, "end": 2, "words": words }]);
    assert_eq!(format_segments(json!({ "segments": segments })), ["0-2 Good morning.: Good@0-1 morning.@1-2"]);
}

#[test]
fn mean_is_weighted_by_time() {
    let segment = |seconds: f64, avg_logprob: Value| json!({ "start": 0, "end": seconds, "text": "a", "avg_logprob": avg_logprob });
    let mean = |segments: Value| {
        let response = json!({ "text": "a", "segments": segments });
        serde_json::from_value::<TranscriptionResponse>(response).expect("a response").mean_logprob()
    };
    assert_eq!(mean(json!([segment(3.0, json!(-1.0)), segment(1.0, json!(-5.0))])), Some(-2.0));
    assert_eq!(mean(json!([segment(3.0, Value::Null)])), None);
    assert_eq!(mean(json!([])), None);
}

#[test]
fn keeps_text_missing_in_segments() {
    let segments = |list: &[(f64, f64, &str)]| -> Value {
        list.iter().map(|(start, end, text)| json!({ "start": start, "end": end, "text": text })).collect()
    };
    let format_response = |text: &str, list: &[(f64, f64, &str)]| -> Vec<String> {
        let response = json!({ "text": text, "segments": segments(list) });
        let format_segment = |segment: RecognizedSegment| format!("{}-{} {}", segment.start, segment.end, segment.text);
        recognized(response).into_iter().map(format_segment).collect()
    };
    let text = "Good morning, this is Ada. \"Who?\" (Ada.) Bye!";
    let good = (0.0, 2.0, " Good morning,");
    let this = (2.0, 4.0, " this is Ada.");
    let bye = (8.0, 9.0, " Bye!");
    assert_eq!(format_response(text, &[good]), ["0-2 Good morning,", "2-10 this is Ada. \"Who?\" (Ada.) Bye!"]);
    assert_eq!(
        format_response(text, &[good, this, bye]),
        ["0-2 Good morning,", "2-4 this is Ada.", "4-8 \"Who?\" (Ada.)", "8-9 Bye!"]
    );
    assert_eq!(format_response(text, &[this]), ["0-2 Good morning,", "2-4 this is Ada.", "4-10 \"Who?\" (Ada.) Bye!"]);
    // If the text spells a segment differently, the longer spelling is used and nothing is repeated.
    assert_eq!(
        format_response("I owe 10 euros. Bye!", &[(0.0, 2.0, "I owe ten euros."), bye]),
        ["0-2 I owe ten euros.", "8-9 Bye!"]
    );
    assert_eq!(
        format_response("I owe ten euros. Bye!", &[(1.0, 2.0, "I owe 10."), bye]),
        ["1-2 I owe ten euros.", "8-9 Bye!"]
    );
    assert_eq!(format_response("Good", &[good, this]), ["0-2 Good morning,", "2-4 this is Ada."]);
    assert_eq!(format_response("Again a gain", &[(5.0, 6.0, "a")]), ["0-5 Again", "5-6 a", "6-10 gain"]);
    assert_eq!(
        format_response("Yes. No. Yes.", &[(0.0, 1.0, "yes"), (1.0, 2.0, "no")]),
        ["0-1 yes", "1-2 no", "2-10 Yes."]
    );
    assert_eq!(
        format_response("今天天气很好，再见。", &[(0.0, 2.0, "今天天气"), (8.0, 9.0, "再见。")]),
        ["0-2 今天天气", "2-8 很好，", "8-9 再见。"]
    );
    // Punctuation and annotations are not speech.
    assert_eq!(format_response("Good morning, - [Music]", &[good]), ["0-2 Good morning,"]);
}

#[test]
fn segments_without_text_use_text_of_response() {
    let response = |segments: Value| json!({ "text": "Good morning. Hi.", "segments": segments });
    for text in [json!(null), json!(""), json!(" ")] {
        let one = json!([{ "start": 1, "end": 3, "text": text }]);
        let one = recognized(response(one));
        assert_eq!((one.len(), one[0].start, one[0].end, one[0].text.as_str()), (1, 1.0, 3.0, "Good morning. Hi."));
    }
    let two = recognized(response(json!([{ "start": 1, "end": 3 }, { "start": 4, "end": 6 }])));
    assert_eq!((two.len(), two[0].start, two[0].end, two[0].text.as_str()), (1, 1.0, 6.0, "Good morning. Hi."));
    let second =
        recognized(response(json!([{ "start": 1, "end": 3, "text": "Good morning." }, { "start": 4, "end": 6 }])));
    assert_eq!((second[1].start, second[1].end, second[1].text.as_str()), (4.0, 6.0, "Hi."));
    // Words count as text.
    let words = json!([{ "word": "Hi", "start": 1, "end": 2 }]);
    assert_eq!(
        format_segments(json!({ "text": "", "segments": [{ "start": 0, "end": 3, "text": "" }], "words": words })),
        ["0-3 Hi: Hi@1-2"]
    );
}

#[test]
fn sorts_segments_and_words_by_time() {
    let expected = ["0-2 Good morning.: Good@0.5-1 morning.@1-2", "2-5 Hi.: Hi.@3-4"];
    for text in ["Good morning. Hi.", "Hi. Good morning.", ""] {
        let segments =
            json!([{ "start": 2, "end": 5, "text": "Hi." }, { "start": 0, "end": 2, "text": "Good morning." }]);
        let words = json!([
            { "word": "Hi", "start": 3, "end": 4 },
            { "word": "morning", "start": 1, "end": 2 },
            { "word": "Good", "start": 0.5, "end": 1 },
        ]);
        assert_eq!(format_segments(json!({ "text": text, "segments": segments, "words": words })), expected, "{text}");
        let mut within = segments.clone();
        within[0]["words"] = json!([words[0]]);
        within[1]["words"] = json!([words[1], words[2]]);
        assert_eq!(format_segments(json!({ "text": text, "segments": within })), expected, "{text}");
    }
    let untimed = json!([{ "start": 4, "end": 5, "text": "c" }, { "text": "d" }, { "start": 0, "end": 2, "text": "a" }, { "text": "b" }]);
    let texts: Vec<_> =
        recognized(json!({ "text": "a b c d", "segments": untimed })).into_iter().map(|segment| segment.text).collect();
    assert_eq!(texts, ["a", "b", "c", "d"]);
}

#[test]
fn missing_text_takes_its_time_from_listed_words() {
    let response = json!({
        "text": "Good morning. Hi.",
        "segments": [{ "start": 0, "end": 2, "text": "Good morning." }],
        "words": [
            { "word": "Good", "start": 0.5, "end": 1 },
            { "word": "morning", "start": 1, "end": 2 },
            { "word": "Hi", "start": 7, "end": 8 },
        ],
    });
    assert_eq!(format_segments(response), ["0-2 Good morning.: Good@0.5-1 morning.@1-2", "7-8 Hi.: Hi.@7-8"]);
}
