//! Texts of one lead: whether it can be called, its fields and their form, and who changed it.

super::texts! {
    lead: "Lead" | "Lead";
    all_leads: "All leads" | "Alle Leads";
    no_such_lead: "There is no such lead" | "Diesen Lead gibt es nicht";
    no_such_lead_why: "It may have been deleted since the link was made." | "Vielleicht wurde er gelöscht, seit der Link entstand.";
    no_calls: "No calls yet" | "Noch keine Anrufe";
    no_calls_why: "Calls of this lead appear here." | "Hier erscheinen die Anrufe dieses Leads.";

    can_it_be_called: "Can it be called?" | "Ist der Lead anrufbar?";
    in_any_campaign: "In any campaign" | "In jeder Kampagne";
    in_no_campaign: "A lead is called for a campaign; this one is in none." | "Ein Lead wird für eine Kampagne angerufen; dieser ist in keiner.";
    callable_now: "Callable now" | "Jetzt anrufbar";
    not_callable: "Not callable" | "Nicht anrufbar";
    /// Before how far away that is, as in `callable in 3 h`.
    callable: "callable" | "anrufbar";
    /// Before how far away that is, as in `Ends in 3 h.`
    ends: "Ends" | "Endet";
    calls_of_which_today(calls, today): "{calls}, {today} today" | "{calls}, davon {today} heute";
    never: "never" | "nie";

    fields_of_the_lead: "Fields of the lead" | "Felder des Leads";
    fields: "Fields" | "Felder";
    edit: "Edit" | "Bearbeiten";
    yes: "Yes" | "Ja";
    no: "No" | "Nein";
    custom_fields: "Custom fields" | "Eigene Felder";

    is_saved: "The lead is saved." | "Der Lead ist gespeichert.";
    nothing_changed: "Nothing changed yet." | "Noch nichts geändert.";
    not_saved: "Not saved yet." | "Noch nicht gespeichert.";
    mend_first: "Mend what is marked before it can be saved." | "Beheben Sie das Markierte, bevor Sie speichern.";
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
        "Nobody changed it by hand. Imports stand in the audit log as a whole." |
        "Niemand hat ihn von Hand geändert. Importe stehen als Ganzes im Protokoll.";
    earlier(count): "{count} earlier" / "{count} earlier" | "{count} frühere" / "{count} frühere";
    lead_added: "Lead added" | "Lead angelegt";
    fields_changed: "Fields changed" | "Felder geändert";
    put_into_campaign: "Put into a campaign" | "In eine Kampagne aufgenommen";
    changed_in_campaign: "Changed in a campaign" | "In einer Kampagne geändert";
    you: "You" | "Sie";
    staff(id): "Staff {id}" | "Benutzer {id}";
    api_key(id): "API key {id}" | "API-Schlüssel {id}";
    command_line: "Command line" | "Befehlszeile";
}
