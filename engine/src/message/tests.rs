//! Tests each text in each language, and parsing the English text.

use super::{Given, Message, Piece, Text, pieces, texts};
use crate::fault::Fault;
use crate::wording::Language;

/// Months with the same name in both languages.
const SAME: [&str; 4] = ["April", "August", "September", "November"];

fn names(text: &'static str, of: &Text) -> Vec<&'static str> {
    let given = pieces(text, of.names).into_iter().filter_map(|piece| match piece {
        Piece::Given(place) => Some(of.names[place]),
        Piece::Words(_) => None,
    });
    given.collect()
}

/// Returns a message for each text, with a value for each argument.
fn messages() -> impl Iterator<Item = Message> {
    let value = |(place, name): (usize, &&str)| match place {
        0 => format!("\"a {name} or two, found none\""),
        _ => format!("`{name}`"),
    };
    texts::all().map(move |text| {
        Message::new(text, text.names.iter().enumerate().map(|one| Given::Plain(value(one))).collect())
    })
}

#[test]
fn every_text_has_every_language() {
    assert!(texts::all().count() > 150);
    for text in texts::all() {
        let Text { english, german, .. } = *text;
        assert!(!english.is_empty() && !german.is_empty(), "{english}");
        assert!(english != german || SAME.contains(&english), "{english} is the same in German");
        assert!(!english.ends_with('.') && !german.ends_with('.'), "{english} is a line, no sentence");
        for language in [english, german] {
            for name in text.names {
                let stands = names(language, text).iter().filter(|given| *given == name).count();
                assert_eq!(stands, 1, "{name} in {language}");
            }
            // A text without arguments must not contain braces that look like an argument.
            assert_eq!(pieces(language, text.names).is_empty(), language.is_empty());
        }
    }
}

#[test]
fn texts_are_unique() {
    let mut english: Vec<_> = texts::all().map(|text| text.english).collect();
    let count = english.len();
    english.sort_unstable();
    english.dedup();
    assert_eq!(english.len(), count);
}

#[test]
fn parses_english_messages() {
    for message in messages() {
        let english = message.to_string();
        assert_eq!(
            Message::from(english.clone()).words(Language::German),
            message.words(Language::German),
            "{english}"
        );
        assert_eq!(Message::from(english.clone()).words(Language::English), english);
    }
}

#[test]
fn parses_nested_messages() {
    let faults: Vec<Fault> = [
        r#"{"id":"5","calls_count":"5;>>","city":{"gte":1},"limit":"2001;x","_campaigns":"al","created_at":"2026-02-30 00:00:00"}"#,
        r#"{"callable":1,"email":{"like":null},"id":1.5,"frist_name":"a","_or":[],"custom.":1,"city":["a;>","b"]}"#,
        r#"{"id":1,,"a" 2,'b':3,"c":"\q","d":undefined,"e":+1,"id":2}"#,
        r#"{"created_at":"2026-05-01","birthdate":"2026-5-1","updated_at":"2026-05-01T09:30:00+2","last_call_at":""}"#,
    ]
    .iter()
    .flat_map(|text| crate::filter::diagnose(text, &crate::filter::Limits::default()).faults)
    .collect();
    assert!(faults.len() > 20, "{}", faults.len());
    for fault in faults {
        for message in [Some(fault.detail), fault.hint].into_iter().flatten() {
            let (english, german) = (message.to_string(), message.words(Language::German));
            assert_ne!(german, english);
            assert_eq!(Message::from(english.as_str()).words(Language::German), german, "{english}");
        }
    }
}

#[test]
fn names_in_backticks_may_contain_blanks() {
    for message in [
        texts::stored::campaign_named(3, "Harbour lights, east"),
        texts::stored::call_identified(3, "call 17"),
        texts::stored::identifies_several("A 1", 3, 4),
        texts::common::did_you_mean("no answer"),
        texts::stored::out_of_reach("\"2026/a call.wav\""),
    ] {
        let german = message.words(Language::German);
        assert_eq!(Message::from(message.to_string()).words(Language::German), german);
        assert_ne!(german, message.to_string());
    }
}

#[test]
fn keeps_unknown_messages() {
    for words in
        ["", "there is no lead 9", "expected a token that exists, but there is no token 99", "expected , found 1"]
    {
        assert_eq!(Message::from(words).words(Language::German), words);
    }
}

#[test]
fn serializes_messages_in_english() {
    let message = texts::common::expected(texts::common::integer(), "`x`");
    let json = serde_json::to_string(&message).unwrap();
    assert_eq!(json, r#""expected an integer, found `x`""#);
    let read: Message = serde_json::from_str(&json).unwrap();
    assert_eq!(read, "expected an integer, found `x`");
    assert_eq!(read.words(Language::German), "erwartet: eine ganze Zahl, gefunden: `x`");
}

#[test]
fn braces_without_a_name_are_literal() {
    let form = texts::filter::group_form("_or");
    assert_eq!(form, r#"a group is written {"_or":[{"city":"Bonn"},{"state":"CA"}]}"#);
    assert_eq!(
        form.words(Language::German),
        r#"eine Gruppe wird {"_or":[{"city":"Bonn"},{"state":"CA"}]} geschrieben"#
    );
}

#[test]
fn translates_faults_to_german() {
    let told = |faults: Vec<Fault>| -> Vec<String> {
        let line = |fault: Fault| {
            let hint = fault.hint.map(|hint| format!(" ({})", hint.words(Language::German))).unwrap_or_default();
            format!("{}{hint}", fault.detail.words(Language::German))
        };
        faults.into_iter().map(line).collect()
    };
    let filter = r#"{"frist_name":"a","calls_count":"5;>>","id":1.0,"created_at":"2026-02-30 00:00:00","limit":"5"}"#;
    assert_eq!(
        told(crate::filter::diagnose(filter, &crate::filter::Limits::default()).faults),
        [
            "erwartet: ein Feld von Leads oder Kampagnen-Leads, gefunden: `frist_name` (meinten Sie `first_name`?)",
            "erwartet: ein Operator (>, <, >=, <=, = oder !=), gefunden: `>>`",
            "erwartet: eine ganze Zahl, gefunden: 1.0 (schreiben Sie 1)",
            "der Februar 2026 hat keinen Tag 30",
            "erwartet: `<Anzahl>;<Versatz>` in bloßen Ziffern, gefunden: \"5\" (schreiben Sie \"5;0\")",
        ]
    );
    let lead = crate::record::LeadRecord::from_json(
        r#"{"email":"ada","ctiy":"Bonn","timezone":"Europe/Berlim","lat":91,"updated_at":"2026-05-01"}"#,
        crate::record::Form::Create,
    );
    assert_eq!(
        told(lead.unwrap_err()),
        [
            "erwartet: eine E-Mail-Adresse wie `name@example.com`, gefunden: \"ada\"",
            "ein Lead hat kein Feld `ctiy` (meinten Sie `city`?)",
            "erwartet: eine IANA-Zeitzone wie `Europe/Berlin`, gefunden: \"Europe/Berlim\" (meinten Sie `Europe/Berlin`?)",
            "erwartet: eine Zahl von -90 bis 90, gefunden: 91",
            "`updated_at` kann nur ein CSV-Import setzen",
        ]
    );
    let rules =
        crate::submission::Rules { token: crate::submission::TokenRule::Absent, languages: Some(&["en".to_owned()]) };
    let submission = r#"{"call_ids":[],"languages":["xx"],"recording_side":"left","till":null}"#;
    assert_eq!(
        told(crate::submission::read(submission, &rules).unwrap_err()),
        [
            "erwartet: 1 bis 1000 Anruf-IDs, gefunden: 0",
            "die Spracherkennung kennt die Sprache `xx` nicht",
            "erwartet: caller, callee oder both, gefunden: \"left\"",
            "erwartet: ein Zeitpunkt als Text, gefunden: null (lassen Sie das Feld stattdessen weg)",
        ]
    );
    let template = crate::callback::Template::check(r#"{"a":"{cal_id}","b":"{","c":'x'}"#);
    assert_eq!(
        told(template.unwrap_err()),
        [
            "erwartet: der Name eines Platzhalters, gefunden: `cal_id` (meinten Sie `call_id`?)",
            "nach dem Namen eines Platzhalters fehlt `}` (eine Klammer selbst wird `{{` geschrieben)",
            "erwartet: ein Wert, gefunden: einfache Anführungszeichen (schreiben Sie \"x\")",
        ]
    );
}
