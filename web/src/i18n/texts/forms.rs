//! Texts of forms used by several pages, and of leaving them.

super::texts! {
    confirm_leave: "Leave without saving?" | "Ohne Speichern verlassen?";
    confirm_leave_text: "Your changes on this page will be lost." | "Ihre Änderungen auf dieser Seite gehen verloren.";
    confirm_discard: "Discard changes?" | "Änderungen verwerfen?";
    keep_editing: "Keep editing" | "Weiter bearbeiten";
    leave: "Leave without saving" | "Ohne Speichern verlassen";

    edit_conflict: "Someone else changed this" | "Jemand anderes hat dies geändert";
    /// A field and its value.
    field_is_now(field, value): "{field}: now {value}" | "{field}: jetzt {value}";
    save_anyway_hint: "“Save anyway” overwrites it." | "„Trotzdem speichern“ überschreibt diese Änderung.";
    save_anyway: "Save anyway" | "Trotzdem speichern";

    /// For the time of a callback or the end of a freeze.
    time_in_past: "In the past, so it has no effect." | "Liegt in der Vergangenheit und hat keine Wirkung.";

    /// For a date or a time.
    incomplete: "incomplete: complete or clear it" | "unvollständig: bitte ergänzen oder leeren";

    label: "Label" | "Bezeichnung";
    label_hint: "Shown in the panel." | "Wird in der Oberfläche angezeigt.";
    status_name_hint: "Used in files and the API: a–z, 0–9 and _. Can't be changed later."
        | "Für Dateien und API: a–z, 0–9 und _. Lässt sich später nicht ändern.";
    status_is_taken: "A status with this name already exists." | "Ein Status mit diesem Namen existiert bereits.";
    may_be_called: "Leads can be called" | "Leads dürfen angerufen werden";
    may_be_called_hint: " Leads with this status are callable unless another reason applies."
        | " Leads mit diesem Status sind anrufbar, sofern kein anderer Grund vorliegt.";
}
