//! Texts of the lead list: saved views and bulk actions.

super::texts! {
    show_all_leads: "Show all leads" | "Alle Leads zeigen";
    import_leads: "Import leads" | "Leads importieren";
    leads_found: "Leads found" | "Gefundene Leads";
    search: "Search among these leads" | "Unter diesen Leads suchen";
    what_to_search: "Name, phone, e-mail, town or ID" | "Name, Telefon, E-Mail, Ort oder ID";
    /// Description of a filter with a text search.
    searched(filter, search):
        "{filter}; of these, the ones with “{search}” in name, phone, e-mail, town or ID" |
        "{filter}; davon die mit „{search}“ in Name, Telefon, E-Mail, Ort oder ID";
    no_lead_matches: "No lead matches" | "Kein Lead passt";
    why_nothing_is_found(search): "Nothing that the filter finds has “{search}” in its name, number, e-mail or town." |
        "Nichts, was der Filter findet, hat „{search}“ in Namen, Nummer, E-Mail oder Ort.";
    why_no_lead_matches:
        "Take a condition away or change it. Leads come in by Imports, or over the API." |
        "Nehmen Sie eine Bedingung weg oder ändern Sie eine. Leads kommen durch Importe oder über die API herein.";
    why_nothing_on_page:
        "Fewer leads match by now: the first page has them." | "Inzwischen passen weniger Leads: Sie stehen auf der ersten Seite.";
    columns: "Columns" | "Spalten";
    csv_as_shown: "CSV, columns shown" | "CSV, gezeigte Spalten";
    about_csv_as_shown: "Every lead found, by ID, with the columns of this list, for spreadsheets." |
        "Alle gefundenen Leads nach ID, mit den Spalten dieser Liste, für Tabellenprogramme.";
    csv: "CSV, all fields" | "CSV, alle Felder";
    about_csv: "Every lead found, for spreadsheets. Can be imported again." |
        "Alle gefundenen Leads, für Tabellenprogramme. Kann wieder importiert werden.";
    about_json_lines: "With campaigns and why a lead can't be called, for programs." |
        "Mit Kampagnen und warum ein Lead nicht anrufbar ist, für Programme.";

    views: "Views" | "Ansichten";
    all_leads: "All leads" | "Alle Leads";
    your_views: "Your views" | "Ihre Ansichten";
    shared_views: "Shared by others" | "Von anderen geteilt";
    shared_with_all: "Shared with all staff" | "Mit allen geteilt";
    find_a_view: "Find a view" | "Ansicht suchen";
    no_view_found: "No view has that in its name." | "Keine Ansicht heißt so.";
    what_views_are: "A view keeps filter, order and columns under a name." |
        "Eine Ansicht merkt sich Filter, Sortierung und Spalten unter einem Namen.";
    view_is_changed: "Changed since it was saved" | "Seit dem Speichern geändert";
    save_as: "Save as a new view…" | "Als neue Ansicht speichern …";
    save_changes: "Save changes" | "Änderungen speichern";
    discard: "Discard" | "Verwerfen";
    discard_changes: "Discard changes" | "Änderungen verwerfen";
    rename: "Rename…" | "Umbenennen …";
    share_with_all: "Share with all staff" | "Mit allen teilen";
    stop_sharing: "Stop sharing" | "Nicht mehr teilen";
    save_view: "Save as a new view" | "Als neue Ansicht speichern";
    rename_view(name): "Rename “{name}”" | "„{name}“ umbenennen";
    faulty_is_not_saved: "The filter that you edit has a fault. The view gets the one that is shown; what you edit is lost." |
        "Der Filter, den Sie bearbeiten, ist fehlerhaft. Die Ansicht bekommt den gezeigten; Ihre Bearbeitung geht verloren.";
    search_is_not_saved(search): "The search for “{search}” is no part of the view: it shows all that the filter finds." |
        "Die Suche nach „{search}“ gehört nicht zur Ansicht: Sie zeigt alles, was der Filter findet.";
    view_name_hint: "As you would look for it, such as “Berlin, not yet called”." |
        "So, wie Sie danach suchen würden, etwa „Berlin, noch nicht angerufen“.";
    all_staff_see_it: "All staff see it" | "Für alle sichtbar";
    view_saved(name): "“{name}” is saved." | "„{name}“ ist gespeichert.";
    view_shared(name): "All staff see “{name}” now." | "Alle sehen jetzt „{name}“.";
    view_unshared(name): "Only its owner sees “{name}” now." | "Nur wer sie angelegt hat, sieht jetzt „{name}“.";
    view_deleted(name): "“{name}” was deleted." | "„{name}“ wurde gelöscht.";
    delete_view(name): "Delete “{name}”?" | "„{name}“ löschen?";
    all_staff_lose_view: "All staff see this view, and will see it no more." |
        "Alle sehen diese Ansicht und werden sie nicht mehr sehen.";
    all_staff_lose_view_of(owner): "All staff see this view of {owner}, and will see it no more." |
        "Alle sehen diese Ansicht von {owner} und werden sie nicht mehr sehen.";
    no_such_view: "There is no such view" | "Diese Ansicht gibt es nicht";
    why_no_such_view: "It was deleted, or its owner keeps it to themselves." |
        "Sie wurde gelöscht, oder wer sie angelegt hat, teilt sie nicht.";
    filter_of_link_is_faulty: "The filter of this link has a fault" | "Der Filter dieses Links hat einen Fehler";
    mend_filter_of_link: "Mend it above, or look at all leads." | "Beheben Sie ihn oben, oder sehen Sie alle Leads an.";
    view_of_link_is_gone: "The view of this link is no longer there." | "Die Ansicht dieses Links gibt es nicht mehr.";

    selected_leads: "Selected leads" | "Ausgewählte Leads";
    selected(count): "{count} lead selected" / "{count} leads selected" | "{count} Lead ausgewählt" / "{count} Leads ausgewählt";
    selection_dropped(count):
        "The selection of {count} lead was dropped, as the list is another" /
        "The selection of {count} leads was dropped, as the list is another" |
        "Die Auswahl von {count} Lead wurde aufgehoben, weil die Liste eine andere ist" /
        "Die Auswahl von {count} Leads wurde aufgehoben, weil die Liste eine andere ist";
    new_lead: "New lead" | "Neuer Lead";
    all_selected(count):
        "All {count} lead selected" / "All {count} leads selected" |
        "{count} Lead, alle ausgewählt" / "Alle {count} Leads ausgewählt";
    select_all(count): "Select all {count}" | "Alle {count}";
    /// Follows [`select_all`] on wide screens.
    that_match: " that match" | ", auf die der Filter passt, auswählen";

    status: "Status" | "Status";
    weight: "Weight" | "Gewicht";
    assign: "Assign" | "Zuweisen";
    freeze: "Freeze" | "Zurückstellen";
    unfreeze: "Unfreeze" | "Freigeben";
    do_not_call: "Do not call" | "Nicht anrufen";
    set_status: "Set the status" | "Status setzen";
    set_weight: "Set the weight" | "Gewicht setzen";
    assign_leads: "Assign leads" | "Leads zuweisen";
    freeze_leads: "Freeze leads" | "Leads zurückstellen";
    weight_hint: "A whole number. Leads with more weight are called first." |
        "Eine ganze Zahl. Leads mit mehr Gewicht werden zuerst angerufen.";
    assign_to: "Assign to" | "Zuweisen an";
    me(email): "Me ({email})" | "Mich ({email})";
    nobody: "Nobody" | "Niemanden";
    somebody(number): "Number {number}" | "Nummer {number}";
    somebody_by_number: "Somebody by number…" | "Jemanden nach Nummer …";
    number: "Number" | "Nummer";
    number_hint: "The id by which your telephone system knows them." | "Die Nummer, unter der Ihre Telefonanlage sie kennt.";
    what_to_do: "What to do" | "Was geschehen soll";
    freeze_hint: "A lead that is frozen isn't called until then." | "Ein zurückgestellter Lead wird bis dahin nicht angerufen.";
    until: "Until" | "Bis";
    these_leads: "These leads" | "Diese Leads";
    are_not_called: "Are not called" | "Nicht anrufen";
    may_be_called: "May be called" | "Dürfen angerufen werden";
    do_not_call_hint: "In any campaign, whatever else would permit it." | "In keiner Kampagne, was auch immer es sonst erlaubt.";
    in_campaign: "In" | "In";
    all_their_campaigns: "All their campaigns" | "Allen ihren Kampagnen";
    choose: "Choose…" | "Auswählen …";

    change: "Change" | "Ändern";
    change_leads(count): "Change {count} lead" / "Change {count} leads" | "{count} Lead ändern" / "{count} Leads ändern";
    are_selected(count):
        "{count} lead is selected." / "{count} leads are selected." |
        "{count} Lead ist ausgewählt." / "{count} Leads sind ausgewählt.";
    campaign_leads(count):
        "{count} campaign lead" / "{count} campaign leads" |
        "{count} Lead in einer Kampagne" / "{count} Leads in Kampagnen";
    would_change(count):
        "{count} lead changes." / "{count} leads change." |
        "{count} Lead wird geändert." / "{count} Leads werden geändert.";
    /// With the number of campaign leads.
    would_change_inside(count, inside):
        "{count} lead changes, {inside} in all." / "{count} leads change, {inside} in all." |
        "{count} Lead wird geändert, insgesamt {inside}." / "{count} Leads werden geändert, insgesamt {inside}.";
    would_stay(count):
        "{count} stays as it is." / "{count} stay as they are." |
        "{count} bleibt, wie er ist." / "{count} bleiben, wie sie sind.";
    put_in_hint: "They start there anew, never called." | "Dort beginnen sie neu, ohne Anrufe.";
    put_in(count): "Put in {count} lead" / "Put in {count} leads" | "{count} Lead aufnehmen" / "{count} Leads aufnehmen";
    would_be_put_in(count):
        "{count} lead is put in." / "{count} leads are put in." |
        "{count} Lead wird aufgenommen." / "{count} Leads werden aufgenommen.";
    are_in_it(count):
        "{count} is in it already." / "{count} are in it already." |
        "{count} ist schon darin." / "{count} sind schon darin.";
    is_off: "Calls aren't made for this campaign now." | "Für diese Kampagne wird gerade nicht angerufen.";
    called_again(count):
        "{count} lead that is in a status without calls, or marked as not to be called, is called again." /
        "{count} leads that are in a status without calls, or marked as not to be called, are called again." |
        "{count} Lead, dessen Status keine Anrufe vorsieht oder der nicht angerufen werden soll, wird wieder angerufen." /
        "{count} Leads, deren Status keine Anrufe vorsieht oder die nicht angerufen werden sollen, werden wieder angerufen.";
    called_at_once(count):
        "{count} lead can be called at once." / "{count} leads can be called at once." |
        "{count} Lead ist sofort anrufbar." / "{count} Leads sind sofort anrufbar.";
    called_no_more(count):
        "{count} lead that can be called now can't be any more." / "{count} leads that can be called now can't be any more." |
        "{count} jetzt anrufbarer Lead ist es nicht mehr." / "{count} jetzt anrufbare Leads sind es nicht mehr.";
    were_deleted(count):
        "{count} was deleted meanwhile." / "{count} were deleted meanwhile." |
        "{count} wurde inzwischen gelöscht." / "{count} wurden inzwischen gelöscht.";
    look_back: "Recent bulk changes…" | "Letzte Sammeländerungen …";
    past_changes: "Recent bulk changes" | "Letzte Sammeländerungen";
    about_past_changes: "Each can be undone for a week, but for what was changed since." |
        "Jede lässt sich eine Woche lang rückgängig machen, bis auf das, was seitdem geändert wurde.";
    no_past_change: "Nobody changed many leads at once within the last week." |
        "In der letzten Woche hat niemand viele Leads auf einmal geändert.";
    freeze_until(when): "Freeze until {when}" | "Zurückstellen bis {when}";
    undo_change(set): "Undo: {set}" | "Rückgängig: {set}";
    changed(count): "{count} lead changed." / "{count} leads changed." | "{count} Lead geändert." / "{count} Leads geändert.";
    were_put_in(count): "{count} lead put in." / "{count} leads put in." | "{count} Lead aufgenommen." / "{count} Leads aufgenommen.";
    /// With the total, if the action was cancelled or interrupted.
    changed_of(changed, all): "{changed} of {all} leads changed." |
        "{changed} von {all} Leads geändert.";
    put_in_of(changed, all): "{changed} of {all} leads put in." |
        "{changed} von {all} Leads aufgenommen.";
    changing: "Changing leads" | "Leads werden geändert";
    changing_back: "Changing leads back" | "Änderung der Leads wird rückgängig gemacht";
    as_before_of(restored, all): "{restored} of {all} leads as before." |
        "{restored} von {all} Leads wie zuvor.";
    nothing_to_change: "Nothing was left to change." | "Es gab nichts mehr zu ändern.";
    as_before(count): "{count} lead as before." / "{count} leads as before." | "{count} Lead wie zuvor." / "{count} Leads wie zuvor.";
    left_changed(count):
        "{count} was changed meanwhile and stays so." / "{count} were changed meanwhile and stay so." |
        "{count} wurde inzwischen geändert und bleibt so." / "{count} wurden inzwischen geändert und bleiben so.";
}
