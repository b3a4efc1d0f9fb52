//! Tests of the transcript search.

use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::{CharRange, Place};
use leadscribe_engine::record::{CallRecord, LeadRecord};
use leadscribe_engine::words::{Search, Term};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};

use super::speech::{done, new_token, submission};
use super::transcripts::{a_transcript, claim_at, queued, says, transcribe};
use super::{ALL, Tested, a_call, a_recording, at, by, new_campaign, new_lead, text};
use crate::storage::{ByClaim, Slice, TranscriptQuery};
use crate::transcript::NewTranscript;

use RecordingSide::{Both, Callee, Caller};

fn words(text: &str) -> TranscriptQuery {
    let search = Search::parse(text, Place::default()).unwrap();
    TranscriptQuery { search: Some(search), ..TranscriptQuery::default() }
}

async fn ids(store: &Tested, query: &TranscriptQuery) -> Vec<i64> {
    let page = store.search_transcripts(query, ALL).await.unwrap();
    let ids: Vec<i64> = page.items.iter().map(|hit| hit.call_id.0).collect();
    assert_eq!(page.total, ids.len() as u64);
    ids
}

/// Calls in which all these words occur.
pub(super) async fn found(store: &Tested, text: &str) -> Vec<i64> {
    ids(store, &words(text)).await
}

pub async fn transcripts_are_filtered_by_each_condition(store: Tested) {
    let (token, other) = (new_token(&store, 1).await, new_token(&store, 2).await);
    let campaign = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    let add = async |record: CallRecord, token, new: NewTranscript| {
        let call = store.create_call(record, &by(0)).await.unwrap().id;
        store.set_recording(call, &a_recording(new.duration, 2), None, &by(0)).await.unwrap();
        done(store.submit(&submission([call.0]), token, false, None, &by(1)).await.unwrap());
        let claim = claim_at(&store, 2).await.unwrap().claim;
        assert_eq!(store.complete_transcription(claim, &new, at(3)).await.unwrap(), ByClaim::Done);
        call
    };
    let spoken = |duration| NewTranscript { duration, ..a_transcript(vec![says(0.5, Caller, "Good morning, Ann.")]) };
    let record = CallRecord {
        created_at: Some(at(10)),
        lead_id: Some(Some(lead)),
        campaign_id: Some(Some(campaign)),
        agent: text("Grace"),
        ..a_call()
    };
    let one = add(record, token, spoken(30.5)).await;
    let record = CallRecord { created_at: Some(at(30)), ..a_call() };
    let french = TranscribedSide { language: Some("fr-CA".to_owned()), ..a_transcript(vec![]).sides.remove(0) };
    let two = add(record, token, NewTranscript { sides: vec![french], ..spoken(90.0) }).await;
    let three = add(CallRecord { created_at: Some(at(20)), ..a_call() }, other, spoken(45.0)).await;
    // A queued transcription has no transcript yet.
    queued(&store, token, 40).await;
    let (one, two, three) = (one.0, two.0, three.0);

    let any = TranscriptQuery::default;
    let of = async |query: TranscriptQuery| ids(&store, &query).await;
    assert_eq!(of(any()).await, [two, three, one]);
    assert_eq!(of(TranscriptQuery { token_id: Some(token), ..any() }).await, [two, one]);
    assert_eq!(of(TranscriptQuery { token_id: Some(TokenId(99)), ..any() }).await, [0; 0]);
    assert_eq!(of(TranscriptQuery { campaign_id: Some(campaign), ..any() }).await, [one]);
    assert_eq!(of(TranscriptQuery { lead_id: Some(lead), ..any() }).await, [one]);
    assert_eq!(of(TranscriptQuery { from: Some(at(20)), ..any() }).await, [two, three]);
    assert_eq!(of(TranscriptQuery { till: Some(at(20)), ..any() }).await, [three, one]);
    assert_eq!(of(TranscriptQuery { min_duration: Some(45.0), ..any() }).await, [two, three]);
    assert_eq!(of(TranscriptQuery { max_duration: Some(45.0), ..any() }).await, [three, one]);
    let spoken_in = async |language: &str| of(TranscriptQuery { language: Some(language.to_owned()), ..any() }).await;
    assert_eq!(spoken_in("de").await, [three, one]);
    assert_eq!(spoken_in("en").await, [three, one]);
    assert_eq!(spoken_in("fr-CA").await, [two]);
    assert_eq!(spoken_in("fr").await, [two]);
    assert_eq!(spoken_in("f").await, [0; 0]);
    assert_eq!(spoken_in("%").await, [0; 0]);
    assert_eq!(of(TranscriptQuery { token_id: Some(token), max_duration: Some(45.0), ..words("ann") }).await, [one]);

    let hit = |passages, matches| TranscriptHit {
        call_id: CallId(one),
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
    let query = TranscriptQuery { lead_id: Some(lead), ..words("MORNING ann") };
    let marked = vec![CharRange { start: 5, end: 12 }, CharRange { start: 14, end: 17 }];
    assert_eq!(store.search_transcripts(&query, ALL).await.unwrap().items, [hit(passage(1.5, 3.5, marked), 2)]);
    let query = TranscriptQuery { lead_id: Some(lead), ..any() };
    assert_eq!(store.search_transcripts(&query, ALL).await.unwrap().items, [hit(passage(0.5, 3.5, vec![]), 0)]);
}

pub async fn transcripts_are_found_by_spoken_words(store: Tested) {
    let token = new_token(&store, 1).await;
    let said = [
        "Die Straße in Zürich, bitte! I don't know.",
        "L'hôtel est complet — voilà.",
        "我想取消订单。",
        "yes YES yes",
        "\" OR rowid:* NEAR(x, 2) AND -words: 'x' ) | ^x",
    ];
    for (second, text) in (0..).zip(said) {
        queued(&store, token, second).await;
        transcribe(&store, vec![says(0.0, Both, text)], 100).await;
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
        assert_eq!(found(&store, text).await, calls, "{text}");
    }
    let yes = store.search_transcripts(&words("yes"), ALL).await.unwrap();
    assert_eq!(yes.items[0].matches, 3);
    // Words that the parser never produces, but that the database must not interpret as syntax.
    for word in ["\"", "a\" OR \"b", "*", "words:yes", "-", "a b"] {
        let terms = vec![Term { words: vec![word.to_owned()], prefix: true }];
        let query = TranscriptQuery { search: Some(Search { terms }), ..TranscriptQuery::default() };
        store.search_transcripts(&query, ALL).await.unwrap();
    }
}

pub async fn phrases_do_not_span_sides(store: Tested) {
    let token = new_token(&store, 1).await;
    queued(&store, token, 0).await;
    let talk = vec![
        says(0.0, Caller, "one two"),
        says(2.0, Callee, "five six"),
        says(4.0, Caller, "three."),
        says(6.0, Callee, "seven"),
    ];
    transcribe(&store, talk, 1).await;
    for (phrase, calls) in [
        ("\"two three\"", vec![1]),
        ("\"six seven\"", vec![1]),
        ("\"two five\"", vec![]),
        ("\"three five\"", vec![]),
        ("\"seven one\"", vec![]),
        ("three five", vec![1]),
    ] {
        assert_eq!(found(&store, phrase).await, calls, "{phrase}");
    }
}

pub async fn found_transcripts_are_paged(store: Tested) {
    let token = new_token(&store, 1).await;
    for second in [0, 5, 5, 9, 2] {
        queued(&store, token, second).await;
    }
    for word in ["yes", "yes", "no", "yes", "yes"] {
        transcribe(&store, vec![says(0.0, Caller, word)], 100).await;
    }
    // Ordered by the time of the call, then by its id. The third call doesn't contain the word.
    let page = async |count, offset| {
        let page = store.search_transcripts(&words("yes"), Slice { count, offset }).await.unwrap();
        (page.items.iter().map(|hit| hit.call_id.0).collect::<Vec<_>>(), page.total)
    };
    let (all, total) = page(10, 0).await;
    assert_eq!((all.len(), total), (4, 4));
    let mut ordered = Vec::new();
    for call in &all {
        ordered.push((store.call(CallId(*call)).await.unwrap().unwrap().created_at, *call));
    }
    assert!(ordered.is_sorted_by(|a, b| a > b), "{ordered:?}");
    assert_eq!(page(2, 1).await, (all[1..3].to_vec(), 4));
    assert_eq!(page(0, 0).await, (vec![], 4));
    assert_eq!(page(10, 4).await, (vec![], 4));
    assert_eq!(page(10, u64::MAX).await, (vec![], 4));
}

/// Words with common prefixes, with accents, that are normalized or split, or that are no words at all.
const SAID: &[&str] = &[
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
    let line = proptest::collection::vec(select(SAID), 0..5).prop_map(|words| words.join(" "));
    let segment = (select(vec![Caller, Callee, Both]), line, any::<bool>()).prop_map(|(side, text, has_words)| {
        let mut segment = says(0.0, side, &text);
        if !has_words {
            segment.words.clear();
        }
        segment
    });
    proptest::collection::vec(segment, 0..6)
}

fn searches() -> impl Strategy<Value = Option<Search>> {
    let term = (proptest::collection::vec(select(SAID), 1..4), any::<bool>(), any::<bool>());
    let term = term.prop_map(|(words, is_phrase, is_prefix)| {
        let words = words.join(" ").replace(['"', '*'], " ");
        let text = if is_phrase { format!("\"{words}\"") } else { words };
        if is_prefix { text + "*" } else { text }
    });
    let terms = proptest::collection::vec(term, 1..4).prop_map(|terms| terms.join(" "));
    // Text without words is no search.
    terms.prop_map(|text| Search::parse(&text, Place::default()).ok())
}

pub async fn random_searches_agree_with_the_engine(store: Tested) {
    let token = new_token(&store, 1).await;
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let mut stored = Vec::new();
    for _ in 0..60 {
        let call = queued(&store, token, 0).await;
        let said = segments().new_tree(&mut runner).unwrap().current();
        transcribe(&store, said, 1).await;
        stored.push(store.transcript(call).await.unwrap().unwrap());
    }
    stored.sort_by_key(|transcript| std::cmp::Reverse(transcript.call_id));
    let mut hits = 0;
    for _ in 0..600 {
        let Some(search) = searches().new_tree(&mut runner).unwrap().current() else { continue };
        let expected: Vec<(i64, u32)> = stored
            .iter()
            .map(|transcript| (transcript.call_id.0, search.find(transcript, 5).matches))
            .filter(|(_, matches)| *matches > 0)
            .collect();
        let query = TranscriptQuery { search: Some(search.clone()), ..TranscriptQuery::default() };
        let page = store.search_transcripts(&query, ALL).await.unwrap();
        let found: Vec<(i64, u32)> = page.items.iter().map(|hit| (hit.call_id.0, hit.matches)).collect();
        assert_eq!(found, expected, "{search:?}\n{:#?}", stored.iter().map(texts).collect::<Vec<_>>());
        assert_eq!(page.total, found.len() as u64);
        hits += found.len();
    }
    assert!(hits > 600, "searches that find nothing test nothing: {hits} hits");
}

/// A transcript as shown in failures.
fn texts(transcript: &Transcript) -> (i64, Vec<(RecordingSide, &str)>) {
    (transcript.call_id.0, transcript.segments.iter().map(|one| (one.side, one.text.as_str())).collect())
}
