//! Tests the catalog in each language, and the serialized form of messages.

use serde_json::json;

use super::catalog::{self, Text, common, conflict};
use super::message::Piece;
use super::{Arg, Diagnostic, Location, Message};
use crate::wording::Language;

/// Months and protocols with the same name in both languages.
const LANGUAGE_NEUTRAL: [&str; 9] =
    ["April", "August", "September", "November", "AS112", "Teredo", "ORCHID", "ORCHIDv2", "6to4"];

/// Returns the names of the arguments in a text, in order.
fn args(text: &Text, language: Language) -> Vec<&'static str> {
    let pieces = text.pieces(language).into_iter();
    pieces.filter_map(|piece| if let Piece::Arg(index) = piece { Some(text.args[index]) } else { None }).collect()
}

#[test]
fn every_text_has_every_language() {
    for text in catalog::all() {
        let Text { english, german, .. } = *text;
        assert!(!english.is_empty() && !german.is_empty(), "{english}");
        let is_form = english.replace(['{', '}', '(', ')', ':', ';', ' '], "") == text.args.concat();
        assert!(english != german || is_form || LANGUAGE_NEUTRAL.contains(&english), "{english} is the same in German");
        assert!(!english.ends_with('.') && !german.ends_with('.'), "{english} ends with a full stop");
        for language in Language::ALL {
            let mut args = args(text, language);
            let mut expected = text.args.to_vec();
            args.sort_unstable();
            expected.sort_unstable();
            assert_eq!(args, expected, "{} in {language:?}", text.id);
        }
    }
}

#[test]
fn ids_are_unique() {
    let mut ids: Vec<_> = catalog::all().map(|text| text.id).collect();
    ids.sort_unstable();
    let repeated: Vec<_> = ids.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert_eq!(repeated, Vec::<&[&str]>::new());
}

#[test]
fn messages_are_sent_as_data() {
    let message = common::expected(common::integer(), "`x`");
    let sent = json!({
        "detail": "expected an integer, found `x`",
        "message": { "id": "expected", "args": { "wanted": { "id": "integer" }, "found": "`x`" } },
    });
    assert_eq!(serde_json::to_value(&message).unwrap(), sent);
    let received: Message = serde_json::from_value(sent).unwrap();
    assert_eq!(received, message);
    assert_eq!(received.text(Language::German), "erwartet: eine ganze Zahl, gefunden: `x`");
}

#[test]
fn every_message_survives_serialization() {
    for text in catalog::all() {
        let args = text.args.iter().map(|name| Arg::Plain(format!("`{name}`, {{x}}"))).collect();
        let message = Message::new(text, args);
        let sent = serde_json::to_string(&message).unwrap();
        assert_eq!(serde_json::from_str::<Message>(&sent).unwrap(), message);
        assert_eq!(Message::from_stored(message.to_stored()), message);
    }
}

#[test]
fn unknown_messages_keep_their_english_text() {
    for data in [
        json!({ "id": "newer" }),
        json!({ "id": "no_lead" }),
        json!({ "id": "expected", "args": { "wanted": { "id": "newer" }, "found": "1" } }),
    ] {
        let received: Message = serde_json::from_value(json!({ "detail": "as sent", "message": data })).unwrap();
        assert_eq!(received.text(Language::German), "as sent");
        assert!(received.is_plain());
    }
}

#[test]
fn plain_text_is_stored_and_sent_unchanged() {
    for text in ["", "there is no lead 9", "{", "{\"detail\":1}"] {
        let message = Message::from(text);
        assert_eq!(message.to_stored(), text);
        assert_eq!(Message::from_stored(text.to_owned()), message);
        assert_eq!(serde_json::to_value(message).unwrap(), json!({ "detail": text }));
    }
}

#[test]
fn suggestions_name_the_replacement() {
    let unknown = Diagnostic::new(Location::default(), "unknown_key", conflict::no_status("bsy"));
    let sent = serde_json::to_value(unknown.suggest_nearest("bsy", ["new", "busy"])).unwrap();
    assert_eq!(sent["suggestion"]["replacement"], "busy");
    assert_eq!(sent["suggestion"]["detail"], "did you mean `busy`?");
    assert_eq!(sent["suggestion"]["message"], json!({ "id": "did_you_mean", "args": { "name": "busy" } }));
}

#[test]
fn braces_without_a_name_are_literal() {
    let form = catalog::filter::group_form("_or");
    assert_eq!(form, r#"a group is written {"_or":[{"city":"Bonn"},{"state":"CA"}]}"#);
    assert_eq!(form.text(Language::German), r#"eine Gruppe wird {"_or":[{"city":"Bonn"},{"state":"CA"}]} geschrieben"#);
}

#[test]
fn renders_diagnostics_in_german() {
    let german = |diagnostics: Vec<Diagnostic>| -> Vec<String> {
        diagnostics.into_iter().map(|diagnostic| diagnostic.summary().text(Language::German)).collect()
    };
    let filter = r#"{"frist_name":"a","calls_count":"5;>>","id":1.0,"created_at":"2026-02-30 00:00:00","limit":5}"#;
    assert_eq!(
        german(crate::filter::diagnose(filter, &crate::filter::Limits::default()).diagnostics),
        [
            "erwartet: ein Feld von Leads oder Kampagnen-Leads, gefunden: `frist_name` (meinten Sie `first_name`?)",
            "erwartet: ein Operator (>, <, >=, <=, = oder !=), gefunden: `>>`",
            "erwartet: eine ganze Zahl, gefunden: 1.0 (verwenden Sie 1)",
            "den 30. Februar 2026 gibt es nicht",
            "erwartet: ein Text \"<Anzahl>;<Versatz>\", gefunden: eine Zahl (verwenden Sie \"5\")",
        ]
    );
    let lead = crate::record::LeadRecord::from_json(
        r#"{"email":"ada","ctiy":"Bonn","timezone":"Europe/Berlim","lat":91,"updated_at":"2026-05-01"}"#,
        crate::record::WriteMode::Create,
    );
    assert_eq!(
        german(lead.unwrap_err()),
        [
            "erwartet: eine E-Mail-Adresse wie `name@example.com`, gefunden: \"ada\"",
            "ein Lead hat kein Feld `ctiy` (meinten Sie `city`?)",
            "erwartet: eine IANA-Zeitzone wie `Europe/Berlin`, gefunden: \"Europe/Berlim\" (meinten Sie `Europe/Berlin`?)",
            "erwartet: eine Zahl von -90 bis 90, gefunden: 91",
            "`updated_at` lässt sich nur per CSV-Import setzen",
        ]
    );
    let rules = crate::submission::SubmissionRules {
        token: crate::submission::TokenRule::Absent,
        languages: Some(&["en".to_owned()]),
        callback_url: None,
    };
    let submission = r#"{"call_ids":[],"languages":["xx"],"recording_side":"left","till":null}"#;
    assert_eq!(
        german(crate::submission::parse(submission, &rules).unwrap_err()),
        [
            "erwartet: 1 bis 1000 Anruf-IDs, gefunden: 0",
            "die Spracherkennung unterstützt die Sprache `xx` nicht",
            "erwartet: caller, callee oder both, gefunden: \"left\"",
            "erwartet: ein Zeitpunkt als Text, gefunden: null (lassen Sie das Feld stattdessen weg)",
        ]
    );
    let template = crate::callback::Template::parse_standalone(r#"{"a":"{cal_id}","b":"{","c":'x'}"#);
    assert_eq!(
        german(template.unwrap_err()),
        [
            "erwartet: der Name eines Platzhalters, gefunden: `cal_id` (meinten Sie `call_id`?)",
            "nach dem Namen eines Platzhalters fehlt `}` (verwenden Sie `{{` für eine Klammer im Text)",
            "erwartet: ein Wert, gefunden: einfache Anführungszeichen (verwenden Sie \"x\")",
        ]
    );
}
