//! Texts of forms used by several pages, and of leaving them.

super::texts! {
    leave_unsaved: "Leave without saving?" | "Ohne Speichern verlassen?";
    leave_unsaved_why: "What you changed on this page would be lost." | "Was Sie auf dieser Seite geändert haben, ginge verloren.";
    discard_filled: "Discard what you filled in?" | "Eingaben verwerfen?";
    go_on_filling: "Keep it" | "Behalten";
    discard: "Discard" | "Verwerfen";
    leave: "Leave without saving" | "Ohne Speichern verlassen";

    changed_too: "Somebody changed the same meanwhile" | "Inzwischen hat jemand dasselbe geändert";
    /// A field and its value.
    field_is_now(field, value): "{field}: now {value}" | "{field}: jetzt {value}";
    save_again: "“Save anyway” puts yours in its place." | "„Trotzdem speichern“ setzt Ihre Angaben an dessen Stelle.";
    save_anyway: "Save anyway" | "Trotzdem speichern";

    /// For the time of a callback or the end of a freeze.
    time_is_past:
        "This time is past, so it no longer keeps the lead from being called." |
        "Der Zeitpunkt ist schon vorbei und steht keinem Anruf mehr entgegen.";

    /// For a date or a time.
    incomplete:
        "incomplete: fill it in to the end, or clear it" |
        "unvollständig: füllen Sie es ganz aus, oder leeren Sie es";

    name: "Name" | "Name";

    label: "Label" | "Bezeichnung";
    label_hint: "What staff read." | "Was die Benutzer lesen.";
    status_name_hint:
        "What files and programs call it: a to z, 0 to 9 and _. It stays for good." |
        "So heißt er in Dateien und Programmen: a bis z, 0 bis 9 und _. Er lässt sich nicht mehr ändern.";
    status_is_taken: "There is a status of this name already." | "Es gibt schon einen Status dieses Namens.";
    may_be_called: "May be called" | "Darf angerufen werden";
    may_be_called_hint:
        " A lead in this status is callable, unless something else says no." |
        " Ein Lead in diesem Status ist anrufbar, sofern nichts anderes dagegen spricht.";
}
