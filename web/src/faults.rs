//! Assigns faults to inputs and renders them in the panel's language.

use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::host;
use leadscribe_engine::message::Message;
use leptos::prelude::*;

use crate::figures::decimal;
use crate::language::{Language, language};
use crate::texts::{errors, refusals};

/// Returns the faults at `place` or inside it. `place` is a JSON Pointer into the body or the name of a parameter.
pub fn faults_at(faults: &[Fault], place: &str) -> Vec<Fault> {
    faults.iter().filter(|fault| stands_at(fault, place)).cloned().collect()
}

/// True if a fault is at `place` or inside it.
pub fn stands_at(fault: &Fault, place: &str) -> bool {
    match &fault.place {
        Place::Pointer(pointer) => {
            pointer.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
        Place::Parameter(name) | Place::Column(name) => name == place,
    }
}

/// Value of `aria-invalid` for an input with these faults.
pub fn invalid(faults: Signal<Vec<Fault>>) -> impl Fn() -> String + Send + Clone + 'static {
    move || faults.with(|faults| !faults.is_empty()).to_string()
}

/// Detail of a fault in the panel's language. Faults that only the server detects are translated by their code if it is known;
/// otherwise they stay in English.
pub fn detail_of(fault: &Fault) -> String {
    match by_code(fault) {
        Some(words) => words.to_owned(),
        None => fault.detail.words(language()),
    }
}

/// Detail of a fault as shown at an input, with the decimal separator of the panel's language.
pub fn detail_at_input(fault: &Fault) -> String {
    let figure = |word: &str| match host::float(word) {
        Some(_) => decimal(word),
        None => word.to_owned(),
    };
    detail_of(fault).split(' ').map(figure).collect::<Vec<_>>().join(" ")
}

/// Hint that fixes a fault. If the detail was translated by its code, an English hint is left out.
pub fn hint_of(fault: &Fault) -> Option<String> {
    let hint = fault.hint.as_ref().filter(|hint| !is_foreign(hint) || by_code(fault).is_none())?;
    Some(hint.words(language()))
}

/// Translates a line of the server about the result of its work as far as it is known. Faults of a header are translated one by
/// one.
pub fn told(line: &str) -> String {
    if language() == Language::English {
        return line.to_owned();
    }
    known(line).unwrap_or_else(|| {
        let (before, rest) = match line.strip_prefix("header: ") {
            Some(rest) => (format!("{}: ", errors::header()), rest),
            None => (String::new(), line),
        };
        before + &rest.split("; ").map(told_part).collect::<Vec<_>>().join("; ")
    })
}

/// Translates `column: detail (hint)`; column and hint are optional.
fn told_part(part: &str) -> String {
    known(part).unwrap_or_else(|| match part.split_once(": ").filter(|(column, _)| !column.contains(' ')) {
        Some((column, rest)) => format!("{column}: {}", told_part(rest)),
        None => match part.strip_suffix(')').and_then(|part| part.split_once(" (")) {
            Some((detail, hint)) => {
                format!("{} ({})", Message::from(detail).words(language()), Message::from(hint).words(language()))
            }
            None => part.to_owned(),
        },
    })
}

/// Returns the text in the panel's language; `None` if there is no translation.
fn known(words: &str) -> Option<String> {
    let told = Message::from(words).words(language());
    (told != words).then_some(told)
}

fn by_code(fault: &Fault) -> Option<&'static str> {
    is_foreign(&fault.detail).then(|| refusals::fault(&fault.code)).flatten()
}

/// True if the message has no translation in the panel's language.
fn is_foreign(message: &Message) -> bool {
    language() != Language::English && *message == message.words(language())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::speak;

    #[test]
    fn translates_faults() {
        let told = |fault: &Fault| (detail_of(fault), hint_of(fault));
        let sent = |code, detail: &str, hint: &str| Fault::new(Place::default(), code, detail).hint(hint);
        let of_engine = sent("unknown_key", "a lead has no field `ctiy`", "did you mean `city`?");
        let of_server = sent("taken", "expected a name that nothing else has", "name it otherwise");
        let of_stored = sent(
            "in_use",
            "expected a status that no campaign lead has, but `busy` is the status of 997",
            "give these campaign leads another status first",
        );
        let no_status = sent("unknown_status", "there is no such status", "did you mean `busy`?");
        let unknown = sent("newer", "something new", "do something");
        let as_sent = |fault: &Fault| (fault.detail.to_string(), fault.hint.as_ref().map(ToString::to_string));
        for fault in [&of_engine, &of_server, &of_stored, &no_status, &unknown] {
            assert_eq!(told(fault), as_sent(fault));
        }
        speak(Language::German);
        let german = ("ein Lead hat kein Feld `ctiy`".to_owned(), Some("meinten Sie `city`?".to_owned()));
        assert_eq!(told(&of_engine), german);
        assert_eq!(told(&of_server), ("bereits vergeben".to_owned(), None));
        let german = ("Leads mit dem Status `busy` in Kampagnen: 997", "geben Sie ihnen zuerst einen anderen Status");
        assert_eq!(told(&of_stored), (german.0.to_owned(), Some(german.1.to_owned())));
        let german = ("diesen Status gibt es nicht".to_owned(), Some("meinten Sie `busy`?".to_owned()));
        assert_eq!(told(&no_status), german);
        assert_eq!(told(&unknown), as_sent(&unknown));
    }

    #[test]
    fn input_faults_use_the_decimal_separator_of_the_language() {
        let fault = |detail: &str| Fault::new(Place::default(), "out_of_range", detail);
        let far = fault("expected a number from -90 to 90, found 100.5");
        let whole = fault("1.5 is not a whole number");
        assert_eq!(detail_at_input(&far), "expected a number from -90 to 90, found 100.5");
        speak(Language::German);
        assert_eq!(detail_at_input(&far), "erwartet: eine Zahl von -90 bis 90, gefunden: 100,5");
        assert_eq!(detail_at_input(&whole), "1,5 ist keine ganze Zahl");
        assert_eq!(detail_of(&whole), "1.5 ist keine ganze Zahl");
        let address = Fault::new(Place::default(), "new", "expected 10.0.0.1.");
        assert_eq!(detail_at_input(&address), "expected 10.0.0.1.");
    }

    #[test]
    fn translates_result_lines_of_the_server() {
        let header = "header: frist_name: a lead has no field `frist_name` (did you mean `first_name`?); ort: a lead has no field `ort`";
        assert_eq!(told(header), header);
        speak(Language::German);
        for (english, german) in [
            (
                header,
                "Kopfzeile: frist_name: ein Lead hat kein Feld `frist_name` (meinten Sie `first_name`?); ort: ein Lead hat kein Feld `ort`",
            ),
            (
                "header: expected columns separated by commas, found bars; leave `delimiter` out of the mapping, or correct it",
                "Kopfzeile: erwartet: Spalten, getrennt durch Kommas, gefunden: Pipe-Zeichen; lassen Sie `delimiter` in der Zuordnung weg oder berichtigen Sie es",
            ),
            ("answered 503", "Antwort 503"),
            ("no answer within 10 s", "keine Antwort binnen 10 s"),
            (
                "the endpoint may not be called: its address is not public (unique local, RFC 4193)",
                "die Callback-Adresse darf nicht aufgerufen werden: ihre Adresse ist nicht öffentlich (nur in eigenen Netzen, RFC 4193)",
            ),
            (
                "too many log-in attempts; the next is taken after 30 seconds",
                "zu viele Anmeldeversuche; der nächste ist in 30 Sekunden möglich",
            ),
            ("connection refused", "Verbindung abgelehnt"),
            ("something: that nobody knows", "something: that nobody knows"),
        ] {
            assert_eq!(told(english), german);
        }
    }

    #[test]
    fn finds_faults_at_a_member_and_inside_it() {
        let places =
            [Place::Pointer("/scopes/0".into()), Place::Pointer("/scopes_too".into()), Place::Parameter("from".into())];
        let faults = places.map(|place| Fault::new(place, "wrong", "wrong"));
        assert_eq!(faults_at(&faults, "/scopes"), faults[..1]);
        assert_eq!(faults_at(&faults, "from"), faults[2..]);
    }
}
