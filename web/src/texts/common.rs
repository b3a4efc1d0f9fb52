//! Texts used by several pages.

super::texts! {
    cancel: "Cancel" | "Abbrechen";
    close: "Close" | "Schließen";
    delete: "Delete" | "Löschen";
    dismiss: "Dismiss" | "Ausblenden";
    save: "Save" | "Speichern";
    as_before: "It is as before." | "Es ist wie zuvor.";
    progress: "Progress" | "Fortschritt";
    /// Progress of a long task.
    done_of(done, all): "{done} of {all}" | "{done} von {all}";
    undo: "Undo" | "Rückgängig";
    clear_selection: "Clear the selection" | "Auswahl aufheben";
    clear_selection_keys: "Clear the selection (Esc)" | "Auswahl aufheben (Esc)";
    list_is_faulty: "This can't be looked for like that" | "So lässt sich danach nicht suchen";
    mend_or_show_all: "Mend what is marked, or look at everything." | "Beheben Sie, was markiert ist, oder sehen Sie alles an.";
    try_again: "Try again" | "Noch einmal versuchen";
    loading: "Loading…" | "Wird geladen…";
    now: "now" | "jetzt";
    copy: "Copy" | "Kopieren";
    copied: "Copied" | "Kopiert";
    copy_by_hand: "Select and copy it by hand" | "Bitte von Hand markieren und kopieren";
    a_moment: "a moment" | "einen Augenblick";

    export: "Export" | "Export";
    csv: "CSV" | "CSV";
    about_csv: "All that was found, in this order, for spreadsheets."
        | "Alles Gefundene in dieser Reihenfolge, für Tabellenprogramme.";
    json_lines: "JSON lines" | "JSON-Zeilen";
    about_json_lines: "The same as the API tells it, for programs."
        | "Dasselbe, wie die API es sagt, für Programme.";

    bashkir: "Bashkir" | "Baschkirisch";
    tibetan: "Tibetan" | "Tibetisch";

    nothing_on_page: "There is nothing on this page" | "Auf dieser Seite steht nichts";
    fewer_by_now: "There is less by now: the first page has it." | "Inzwischen ist es weniger: Es steht auf der ersten Seite.";
    to_first_page: "Go to the first page" | "Zur ersten Seite";
    leads(count): "{count} lead" / "{count} leads" | "{count} Lead" / "{count} Leads";
    calls(count): "{count} call" / "{count} calls" | "{count} Anruf" / "{count} Anrufe";
    campaigns(count): "{count} campaign" / "{count} campaigns" | "{count} Kampagne" / "{count} Kampagnen";
}
