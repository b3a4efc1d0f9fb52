//! Texts of the lead page: callability, fields, form and history.

super::texts! {
    lead_not_found: "Lead not found" | "Lead nicht gefunden";
    lead_not_found_hint: "It may have been deleted." | "Möglicherweise wurde er gelöscht.";
    lead_was_deleted: "This lead was deleted" | "Dieser Lead wurde gelöscht";
    deleted_by(when, who): "Deleted on {when} ({who}). Calls, recordings and transcripts were kept."
        | "Gelöscht am {when} ({who}). Anrufe, Aufnahmen und Transkripte blieben erhalten.";
    audit_log_entries: "Show audit log entries" | "Protokolleinträge anzeigen";
    no_calls_hint: "Calls that you import or send through the API appear here."
        | "Importierte oder per API gemeldete Anrufe erscheinen hier.";
    calls_without_records_note(count):
        "{count} earlier call isn't listed: it was made with other software, or has since been deleted." /
        "{count} earlier calls aren't listed: they were made with other software, or have since been deleted." |
        "{count} früherer Anruf ist nicht aufgeführt: Er wurde mit anderer Software geführt oder inzwischen gelöscht." /
        "{count} frühere Anrufe sind nicht aufgeführt: Sie wurden mit anderer Software geführt oder inzwischen gelöscht.";

    callability: "Can this lead be called?" | "Ist der Lead anrufbar?";
    in_no_campaign: "Add the lead to a campaign to call it." | "Fügen Sie den Lead einer Kampagne hinzu, um ihn anzurufen.";
    not_callable: "Not callable" | "Nicht anrufbar";
    /// Before a relative time, as in `callable in 3 h`.
    callable: "callable" | "anrufbar";
    /// For a reason that applies once the others have ended.
    after_other_reasons: "Applies once the other reasons end." | "Gilt, sobald die anderen Gründe entfallen.";
    /// Before a relative time, as in `Ends in 3 h.`
    ends: "Ends" | "Endet";
    calls_and_today(calls, today): "{calls} ({today} today)" | "{calls}, davon {today} heute";

    unassigned: "Unassigned" | "Nicht zugewiesen";
    change_in(campaign): "Edit in {campaign}" | "In {campaign} bearbeiten";
    callback: "Callback at" | "Rückruf am";
    callback_hint: "Not called before this time. Empty = no callback." | "Wird vorher nicht angerufen. Leer = kein Rückruf.";
    frozen_until: "Frozen until" | "Pausiert bis";
    assigned_to: "Assigned to" | "Zugewiesen an";
    changed_in(campaign): "Updated in {campaign}" | "In {campaign} geändert";
    remove_from_campaign: "Remove from campaign" | "Aus Kampagne entfernen";
    remove_from_campaign_title(campaign): "Remove the lead from {campaign}?" | "Lead aus {campaign} entfernen?";
    remove_from_campaign_text:
        "Its status and call counts in this campaign will be lost. This can't be undone, because the lead has too many calls. Calls and recordings stay." |
        "Status und Anrufzahlen in dieser Kampagne gehen verloren. Wegen der vielen Anrufe lässt sich das nicht rückgängig machen. Anrufe und Aufnahmen bleiben.";
    removed_from_campaign(campaign): "Removed from {campaign}" | "Aus {campaign} entfernt";
    add_to_campaign: "Add to campaign" | "Zu Kampagne hinzufügen";
    add_to_campaign_hint: "Starts as new, without calls." | "Beginnt dort neu, ohne Anrufe.";
    added_to(campaign): "Added to {campaign}" | "Zu {campaign} hinzugefügt";

    new_lead_hint: "All fields are optional." | "Alle Felder sind optional.";
    lead_created: "Lead created" | "Lead angelegt";
    role_cannot_create: "Your role can't create leads" | "Ihre Rolle darf keine Leads anlegen";
    delete_title(name): "Delete {name}?" | "{name} löschen?";
    delete_text:
        "This deletes the lead and removes it from its campaigns. Calls, recordings and transcripts stay. This can't be undone." |
        "Der Lead wird endgültig gelöscht und aus seinen Kampagnen entfernt. Anrufe, Aufnahmen und Transkripte bleiben.";

    fields_of_the_lead: "Lead fields" | "Felder des Leads";
    expired: "(expired)" | "(abgelaufen)";

    is_saved: "Lead saved" | "Lead gespeichert";
    no_changes_to_save: "No changes to save." | "Keine ungespeicherten Änderungen.";
    not_saved: "Unsaved changes." | "Nicht gespeicherte Änderungen.";
    /// For an E.164 number while the number it is derived from is edited.
    derived_from_phone: "Set from the phone number when saved." | "Wird beim Speichern aus der Telefonnummer gebildet.";
    contact: "Contact" | "Kontakt";
    address: "Address" | "Adresse";
    purchase: "Purchase" | "Kauf";
    origin: "Origin" | "Herkunft";
    add_custom_field: "Add custom field" | "Eigenes Feld hinzufügen";
    custom_field_name: "Field name" | "Feldname";
    field_exists: "A field with this name already exists." | "Ein Feld mit diesem Namen existiert bereits.";

    changes_of_the_lead: "Change history" | "Änderungsverlauf";
    changes: "Changes" | "Änderungen";
    no_changes: "No changes yet." | "Noch keine Änderungen.";
    show_earlier(count): "Show {count} earlier change" / "Show {count} earlier changes"
        | "{count} frühere Änderung anzeigen" / "{count} frühere Änderungen anzeigen";
    imported_from(file): "Imported from {file}" | "Importiert aus {file}";
    import_undo_started(file): "Started undoing the import of {file}" | "Rückgängigmachen des Imports von {file} gestartet";
    import_undo_cancelled(file): "Cancelled undoing the import of {file}" | "Rückgängigmachen des Imports von {file} abgebrochen";
    import_cancelled(file): "Import of {file} cancelled" | "Import von {file} abgebrochen";
    fields_changed: "Fields changed" | "Felder geändert";
    added_to_campaign_label: "Added to a campaign" | "Zu einer Kampagne hinzugefügt";
    changed_in_campaign: "Updated in a campaign" | "In einer Kampagne geändert";
    user(id): "User {id}" | "Benutzer {id}";
}
