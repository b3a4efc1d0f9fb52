//! Tests of the transcript search.

use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::{CharRange, Location};
use leadscribe_engine::record::{CallRecord, LeadRecord};
use leadscribe_engine::transcript_search::{Search, Term};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};

use super::deliveries::UNLIMITED;
use super::speech::{new_token, submission};
use super::transcripts::{claim_at, queue_call, sample_transcript, spoken_segment, transcribe};
use super::{FIRST_1000, TestStore, at, audit_at, call_record, new_campaign, new_lead, ready_recording, text};
use crate::storage::{FencedWrite, Slice, TranscriptQuery};
use crate::transcript::NewTranscript;

use RecordingSide::{Both, Callee, Caller};

fn word_query(text: &str) -> TranscriptQuery {
    let search = Search::parse(text, Location::default()).unwrap();
    TranscriptQuery { search: Some(search), ..TranscriptQuery::default() }
}

async fn ids(store: &TestStore, query: &TranscriptQuery) -> Vec<i64> {
    let page = store.search_transcripts(query, FIRST_1000).await.unwrap();
    let ids: Vec<i64> = page.items.iter().map(|hit| hit.call_id.0).collect();
    assert_eq!(page.total, ids.len() as u64);
    ids
}

/// Calls in which all these words occur.
pub(super) async fn find_calls(store: &TestStore, text: &str) -> Vec<i64> {
    ids(store, &word_query(text)).await
}

pub async fn transcripts_are_filtered_by_each_condition(store: TestStore) {
    let (token, other) = (new_token(&store, 1).await, new_token(&store, 2).await);
    let campaign = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    let add = async |record: CallRecord, token, new: NewTranscript| {
        let call = store.create_call(record, &audit_at(0)).await.unwrap().id;
        store.set_recording(call, &ready_recording(new.duration, 2), None, &audit_at(0)).await.unwrap();
        store.submit(&submission([call.0]), token, false, UNLIMITED, &audit_at(1)).await.unwrap();
        let claim = claim_at(&store, 2).await.unwrap().claim;
        assert_eq!(store.complete_transcription(claim, &new, at(3)).await.unwrap(), FencedWrite::Done);
        call
    };
    let transcript_of = |duration| NewTranscript {
        duration,
        ..sample_transcript(vec![spoken_segment(0.5, Caller, "Good morning, Ann.")])
    };
    let record = CallRecord {
        created_at: Some(at(10)),
        lead_id: Some(Some(lead)),
        campaign_id: Some(Some(campaign)),
        agent: text("Grace"),
        ..call_record()
    };
    let first_call = add(record, token, transcript_of(30.5)).await;
    let record = CallRecord { created_at: Some(at(30)), ..call_record() };
    let french = TranscribedSide { language: Some("fr-CA".to_owned()), ..sample_transcript(vec![]).sides.remove(0) };
    let second_call = add(record, token, NewTranscript { sides: vec![french], ..transcript_of(90.0) }).await;
    let third_call = add(CallRecord { created_at: Some(at(20)), ..call_record() }, other, transcript_of(45.0)).await;
    // A queued transcription has no transcript yet.
    queue_call(&store, token, 40).await;
    let (first_call, second_call, third_call) = (first_call.0, second_call.0, third_call.0);

    let default_query = TranscriptQuery::default;
    let ids_of = async |query: TranscriptQuery| ids(&store, &query).await;
    assert_eq!(ids_of(default_query()).await, [second_call, third_call, first_call]);
    assert_eq!(ids_of(TranscriptQuery { token_id: Some(token), ..default_query() }).await, [second_call, first_call]);
    assert_eq!(ids_of(TranscriptQuery { token_id: Some(TokenId(99)), ..default_query() }).await, [0; 0]);
    assert_eq!(ids_of(TranscriptQuery { campaign_id: Some(campaign), ..default_query() }).await, [first_call]);
    assert_eq!(ids_of(TranscriptQuery { lead_id: Some(lead), ..default_query() }).await, [first_call]);
    assert_eq!(ids_of(TranscriptQuery { from: Some(at(20)), ..default_query() }).await, [second_call, third_call]);
    assert_eq!(ids_of(TranscriptQuery { till: Some(at(20)), ..default_query() }).await, [third_call, first_call]);
    assert_eq!(
        ids_of(TranscriptQuery { min_duration: Some(45.0), ..default_query() }).await,
        [second_call, third_call]
    );
    assert_eq!(ids_of(TranscriptQuery { max_duration: Some(45.0), ..default_query() }).await, [third_call, first_call]);
    let ids_in_language =
        async |language: &str| ids_of(TranscriptQuery { language: Some(language.to_owned()), ..default_query() }).await;
    assert_eq!(ids_in_language("de").await, [third_call, first_call]);
    assert_eq!(ids_in_language("en").await, [third_call, first_call]);
    assert_eq!(ids_in_language("fr-CA").await, [second_call]);
    assert_eq!(ids_in_language("fr").await, [second_call]);
    assert_eq!(ids_in_language("f").await, [0; 0]);
    assert_eq!(ids_in_language("%").await, [0; 0]);
    assert_eq!(
        ids_of(TranscriptQuery { token_id: Some(token), max_duration: Some(45.0), ..word_query("ann") }).await,
        [first_call]
    );

    let hit = |passages, matches| TranscriptHit {
        call_id: CallId(first_call),
        transcription_id: TranscriptionId(1),
        token_id: token,
        lead_id: Some(lead),
        campaign_id: Some(campaign),
        campaign_name: Some("Spring".to_owned()),
        agent: Some("Grace".to_owned()),
        call_created_at: at(10),
        language: Some("en-US".to_owned()),
        duration: 30.5,
        passages,
        matches,
    };
    let passage = |start, end, matches| {
        vec![Passage { start, end, side: Caller, text: "Good morning, Ann.".to_owned(), matches }]
    };
    let query = TranscriptQuery { lead_id: Some(lead), ..word_query("MORNING ann") };
    let marked = vec![CharRange { start: 5, end: 12 }, CharRange { start: 14, end: 17 }];
    assert_eq!(store.search_transcripts(&query, FIRST_1000).await.unwrap().items, [hit(passage(1.5, 3.5, marked), 2)]);
    let query = TranscriptQuery { lead_id: Some(lead), ..default_query() };
    assert_eq!(store.search_transcripts(&query, FIRST_1000).await.unwrap().items, [hit(passage(0.5, 3.5, vec![]), 0)]);
}

pub async fn transcripts_are_found_by_spoken_words(store: TestStore) {
    let token = new_token(&store, 1).await;
    let transcripts = [
        "Die Straße in Zürich, bitte! I don't know.",
        "L'hôtel est complet — voilà.",
        "我想取消订单。",
        "yes YES yes",
        "\" OR rowid:* NEAR(x, 2) AND -words: 'x' ) | ^x",
    ];
    for (second, text) in (0..).zip(transcripts) {
        queue_call(&store, token, second).await;
        transcribe(&store, vec![spoken_segment(0.0, Both, text)], 100).await;
    }
    let expected: [(&str, &[i64]); 21] = [
        ("strasse", &[1]),
        ("STRASSE", &[1]),
        ("zurich", &[1]),
        ("\"strasse in zürich\"", &[1]),
        ("\"strasse zürich\"", &[]),
        ("zürich strasse", &[1]),
        ("zür*", &[1]),
        ("\"in zür\"*", &[1]),
        ("zür", &[]),
        ("don't", &[1]),
        ("dont", &[1]),
        ("hotel", &[2]),
        ("l'hotel", &[2]),
        ("取消", &[3]),
        ("消取", &[]),
        ("\"yes yes yes\"", &[4]),
        ("\"yes yes yes yes\"", &[]),
        ("near", &[5]),
        ("\"or rowid\"", &[5]),
        ("strasse hotel", &[]),
        ("and", &[5]),
    ];
    for (text, calls) in expected {
        assert_eq!(find_calls(&store, text).await, calls, "{text}");
    }
    let yes = store.search_transcripts(&word_query("yes"), FIRST_1000).await.unwrap();
    assert_eq!(yes.items[0].matches, 3);
    // Words that the parser never produces, but that the database must not interpret as syntax.
    for word in ["\"", "a\" OR \"b", "*", "words:yes", "-", "a b"] {
        let terms = vec![Term { words: vec![word.to_owned()], is_prefix: true }];
        let query = TranscriptQuery { search: Some(Search { terms }), ..TranscriptQuery::default() };
        store.search_transcripts(&query, FIRST_1000).await.unwrap();
    }
}

pub async fn phrases_do_not_span_sides(store: TestStore) {
    let token = new_token(&store, 1).await;
    queue_call(&store, token, 0).await;
    let segments = vec![
        spoken_segment(0.0, Caller, "one two"),
        spoken_segment(2.0, Callee, "five six"),
        spoken_segment(4.0, Caller, "three."),
        spoken_segment(6.0, Callee, "seven"),
    ];
    transcribe(&store, segments, 1).await;
    for (phrase, calls) in [
        ("\"two three\"", vec![1]),
        ("\"six seven\"", vec![1]),
        ("\"two five\"", vec![]),
        ("\"three five\"", vec![]),
        ("\"seven one\"", vec![]),
        ("three five", vec![1]),
    ] {
        assert_eq!(find_calls(&store, phrase).await, calls, "{phrase}");
    }
}

pub async fn found_transcripts_are_paged(store: TestStore) {
    let token = new_token(&store, 1).await;
    for second in [0, 5, 5, 9, 2] {
        queue_call(&store, token, second).await;
    }
    for word in ["yes", "yes", "no", "yes", "yes"] {
        transcribe(&store, vec![spoken_segment(0.0, Caller, word)], 100).await;
    }
    // Ordered by the time of the call, then by its id. The third call doesn't contain the word.
    let page = async |count, offset| {
        let page = store.search_transcripts(&word_query("yes"), Slice { count, offset }).await.unwrap();
        (page.items.iter().map(|hit| hit.call_id.0).collect::<Vec<_>>(), page.total)
    };
    let (ids, total) = page(10, 0).await;
    assert_eq!((ids.len(), total), (4, 4));
    let mut ordered = Vec::new();
    for call in &ids {
        ordered.push((store.call(CallId(*call)).await.unwrap().unwrap().created_at, *call));
    }
    assert!(ordered.is_sorted_by(|a, b| a > b), "{ordered:?}");
    assert_eq!(page(2, 1).await, (ids[1..3].to_vec(), 4));
    assert_eq!(page(0, 0).await, (vec![], 4));
    assert_eq!(page(10, 4).await, (vec![], 4));
    assert_eq!(page(10, u64::MAX).await, (vec![], 4));
}

/// Words with common prefixes, with accents, that are normalized or split, or that are no words at all.
const SPOKEN_WORDS: &[&str] = &[
    "a",
    "ab",
    "abc",
    "A.",
    "\u{e4}b",
    "b",
    "don't",
    "l'a",
    "a-b",
    "\u{53d6}\u{6d88}",
    "\u{53d6}",
    "stra\u{df}e",
    "strasse",
    "1",
    "12",
    "\u{2014}",
    "|",
    "\u{e000}",
    "\"",
    "\u{130}",
    "\u{3a3}\u{391}\u{3a3}",
    "\u{10d0}",
    "\u{2460}",
    "\u{1d538}",
    "\0",
];

fn segments() -> impl Strategy<Value = Vec<Segment>> {
    let line = proptest::collection::vec(select(SPOKEN_WORDS), 0..5).prop_map(|words| words.join(" "));
    let segment = (select(vec![Caller, Callee, Both]), line, any::<bool>()).prop_map(|(side, text, has_words)| {
        let mut segment = spoken_segment(0.0, side, &text);
        if !has_words {
            segment.words.clear();
        }
        segment
    });
    proptest::collection::vec(segment, 0..6)
}

fn searches() -> impl Strategy<Value = Option<Search>> {
    let term = (proptest::collection::vec(select(SPOKEN_WORDS), 1..4), any::<bool>(), any::<bool>());
    let term = term.prop_map(|(words, is_phrase, is_prefix)| {
        let words = words.join(" ").replace(['"', '*'], " ");
        let text = if is_phrase { format!("\"{words}\"") } else { words };
        if is_prefix { text + "*" } else { text }
    });
    let terms = proptest::collection::vec(term, 1..4).prop_map(|terms| terms.join(" "));
    // `None` for a text without words, which isn't a search.
    terms.prop_map(|text| Search::parse(&text, Location::default()).ok())
}

pub async fn random_searches_agree_with_the_engine(store: TestStore) {
    let token = new_token(&store, 1).await;
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let mut stored = Vec::new();
    for _ in 0..60 {
        let call = queue_call(&store, token, 0).await;
        let spoken = segments().new_tree(&mut runner).unwrap().current();
        transcribe(&store, spoken, 1).await;
        stored.push(store.transcript(call).await.unwrap().unwrap());
    }
    stored.sort_by_key(|transcript| std::cmp::Reverse(transcript.call_id));
    let mut hits = 0;
    for _ in 0..600 {
        let Some(search) = searches().new_tree(&mut runner).unwrap().current() else { continue };
        let expected: Vec<(i64, u32)> = stored
            .iter()
            .map(|transcript| (transcript.call_id.0, search.find(transcript, 5).match_count))
            .filter(|(_, matches)| *matches > 0)
            .collect();
        let query = TranscriptQuery { search: Some(search.clone()), ..TranscriptQuery::default() };
        let page = store.search_transcripts(&query, FIRST_1000).await.unwrap();
        let found: Vec<(i64, u32)> = page.items.iter().map(|hit| (hit.call_id.0, hit.matches)).collect();
        assert_eq!(found, expected, "{search:?}\n{:#?}", stored.iter().map(texts).collect::<Vec<_>>());
        assert_eq!(page.total, found.len() as u64);
        hits += found.len();
    }
    assert!(hits > 600, "expected more than 600 hits, found {hits}");
}

/// A transcript as shown in failures.
fn texts(transcript: &Transcript) -> (i64, Vec<(RecordingSide, &str)>) {
    (transcript.call_id.0, transcript.segments.iter().map(|segment| (segment.side, segment.text.as_str())).collect())
}
