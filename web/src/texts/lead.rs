//! Texts of the lead page: callability, fields, form and history.

super::texts! {
    lead: "Lead" | "Lead";
    all_leads: "All leads" | "Alle Leads";
    no_such_lead: "There is no such lead" | "Diesen Lead gibt es nicht";
    no_such_lead_why: "It may have been deleted since the link was made." | "Vielleicht wurde er gelöscht, seit der Link entstand.";
    lead_was_deleted: "This lead was deleted" | "Dieser Lead wurde gelöscht";
    deleted_by(when, who): "Deleted on {when}. Who did it: {who}. Calls, recordings and transcripts stayed, without the lead."
        | "Gelöscht am {when}. Wer es war: {who}. Anrufe, Aufnahmen und Transkripte sind geblieben, ohne den Lead.";
    what_the_log_has: "What the audit log has about it" | "Was das Protokoll dazu enthält";
    no_calls: "No calls here yet" | "Hier noch keine Anrufe";
    no_calls_why: "Calls that are imported or come by the API appear here."
        | "Importierte und über die API gemeldete Anrufe erscheinen hier.";
    calls_only_counted(count):
        "Its campaigns count {count} call that has no record here: other software counted it, or it was deleted since." /
        "Its campaigns count {count} calls that have no record here: other software counted them, or they were deleted since."
        | "Die Kampagnen zählen {count} Anruf, zu dem es hier keinen Eintrag gibt: Eine andere Software hat ihn gezählt, oder er wurde seither gelöscht." /
        "Die Kampagnen zählen {count} Anrufe, zu denen es hier keine Einträge gibt: Eine andere Software hat sie gezählt, oder sie wurden seither gelöscht.";

    can_it_be_called: "Can it be called?" | "Ist der Lead anrufbar?";
    in_no_campaign: "A lead is called for a campaign; this one is in none." | "Ein Lead wird für eine Kampagne angerufen; dieser ist in keiner.";
    callable_now: "Callable now" | "Jetzt anrufbar";
    not_callable: "Not callable" | "Nicht anrufbar";
    /// Before a relative time, as in `callable in 3 h`.
    callable: "callable" | "anrufbar";
    /// For a reason that applies once the others have ended.
    after_the_rest: "Once the rest is over." | "Sobald das Übrige vorbei ist.";
    /// Before a relative time, as in `Ends in 3 h.`
    ends: "Ends" | "Endet";
    calls_of_which_today(calls, today): "{calls}, {today} today" | "{calls}, davon {today} heute";
    never: "never" | "nie";

    nobody: "Nobody" | "Niemand";
    lead_in(campaign): "Lead in {campaign}" | "Lead in {campaign}";
    change_in(campaign): "Change in {campaign}" | "In {campaign} ändern";
    callback: "Callback agreed for" | "Rückruf vereinbart für";
    callback_hint: "The lead isn't called before. Empty: none." | "Vorher wird der Lead nicht angerufen. Leer: keiner.";
    frozen_until: "Frozen until" | "Zurückgestellt bis";
    assigned_to: "Assigned to" | "Zugewiesen an";
    is_changed_in(campaign): "Changed in {campaign}." | "In {campaign} geändert.";
    take_out_ask: "Take out of the campaign" | "Aus der Kampagne nehmen";
    take_out: "Take out" | "Herausnehmen";
    take_out_title(campaign): "Take the lead out of {campaign}?" | "Lead aus {campaign} nehmen?";
    take_out_text:
        "Its status and numbers of calls in this campaign are lost; that can't be undone, as it has too many calls. Its calls and recordings stay." |
        "Status und Anrufzahlen in dieser Kampagne gehen verloren; das lässt sich nicht rückgängig machen, weil der Lead zu viele Anrufe hat. Anrufe und Aufnahmen bleiben.";
    is_taken_out(campaign): "Taken out of {campaign}." | "Aus {campaign} genommen.";
    put_into_ask: "Put into a campaign" | "In eine Kampagne aufnehmen";
    put_into_campaign_title: "Put into a campaign" | "In eine Kampagne aufnehmen";
    campaign: "Campaign" | "Kampagne";
    put_into_hint: "The lead starts there as new, never called." | "Dort beginnt der Lead neu, ohne Anrufe.";
    put_into_do: "Put in" | "Aufnehmen";
    is_put_into(campaign): "Put into {campaign}." | "In {campaign} aufgenommen.";

    new_lead: "New lead" | "Neuer Lead";
    new_lead_hint:
        "No field is required; telephone numbers are brought to the international form." |
        "Kein Feld ist Pflicht; Telefonnummern werden in die internationale Form gebracht.";
    add_lead: "Add lead" | "Lead anlegen";
    is_added: "The lead is added." | "Der Lead ist angelegt.";
    for_managers: "Leads are added by managers" | "Leads werden von Managern angelegt";
    for_managers_why:
        "Your role lets you look at leads. Ask an administrator if you are to add them." |
        "Mit Ihrer Rolle können Sie Leads ansehen. Wenden Sie sich an die Verwaltung, wenn Sie welche anlegen sollen.";
    delete: "Delete" | "Löschen";
    delete_title(name): "Delete {name}?" | "{name} löschen?";
    delete_text:
        "All fields go, and the lead leaves its campaigns; that can't be undone. Calls, recordings and transcripts stay, without the lead." |
        "Alle Felder gehen verloren, und der Lead verlässt seine Kampagnen; das lässt sich nicht rückgängig machen. Anrufe, Aufnahmen und Transkripte bleiben, ohne den Lead.";
    is_deleted(name): "{name} is deleted." | "{name} ist gelöscht.";

    fields_of_the_lead: "Fields of the lead" | "Felder des Leads";
    over: "(over)" | "(vorbei)";
    fields: "Fields" | "Felder";
    edit: "Edit" | "Bearbeiten";
    custom_fields: "Custom fields" | "Eigene Felder";

    is_saved: "The lead is saved." | "Der Lead ist gespeichert.";
    nothing_changed: "Nothing changed yet." | "Noch nichts geändert.";
    not_saved: "Not saved yet." | "Noch nicht gespeichert.";
    /// For an E.164 number while the number it is derived from is edited.
    made_when_saved: "Made from the phone number when it is saved." | "Wird beim Speichern aus der Telefonnummer gebildet.";
    /// For a number.
    two_numbers(text, whole, fraction):
        "“{text}” may be one number or another: write {whole} or {fraction}" |
        "„{text}“ ist nicht eindeutig: schreiben Sie {whole} oder {fraction}";
    mend_first: "Mend what is marked first." | "Beheben Sie das Markierte.";
    discard: "Discard" | "Verwerfen";
    contact: "Contact" | "Kontakt";
    address: "Address" | "Adresse";
    purchase: "Purchase" | "Kauf";
    origin: "Origin" | "Herkunft";
    add_custom_field: "Add a custom field" | "Eigenes Feld hinzufügen";
    its_name: "Its name" | "Name des Felds";
    add: "Add" | "Hinzufügen";
    has_this_field: "The lead has a field of this name." | "Der Lead hat schon ein Feld dieses Namens.";

    changes_of_the_lead: "Changes of the lead" | "Änderungen des Leads";
    changes: "Changes" | "Änderungen";
    unchanged:
        "Nobody changed it by hand, and no import that can still be undone." |
        "Niemand hat ihn von Hand geändert, und kein Import, der noch zurückgenommen werden kann.";
    earlier(count): "{count} earlier" / "{count} earlier" | "{count} frühere" / "{count} frühere";
    lead_added: "Lead added" | "Lead angelegt";
    imported_from(file): "Imported from {file}" | "Importiert aus {file}";
    import_undone(file): "Undo of {file} begun" | "Rücknahme von {file} begonnen";
    import_undo_cancelled(file): "Undo of {file} cancelled" | "Rücknahme von {file} abgebrochen";
    import_cancelled(file): "Import of {file} cancelled" | "Import von {file} abgebrochen";
    fields_changed: "Fields changed" | "Felder geändert";
    put_into_campaign: "Put into a campaign" | "In eine Kampagne aufgenommen";
    changed_in_campaign: "Changed in a campaign" | "In einer Kampagne geändert";
    put_into(campaign): "Put into {campaign}" | "In {campaign} aufgenommen";
    changed_in(campaign): "Changed in {campaign}" | "In {campaign} geändert";
    you: "You" | "Sie";
    staff(id): "Staff {id}" | "Benutzer {id}";
    api_key(id): "API key {id}" | "API-Schlüssel {id}";
}
