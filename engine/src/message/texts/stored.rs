//! Faults that depend on stored data.

crate::message::messages! {
    pub;
    no_lead(id): "expected the id of a lead, but there is no lead {id}" | "es gibt keinen Lead {id}";
    no_campaign(id): "expected the id of a campaign, but there is no campaign {id}" | "es gibt keine Kampagne {id}";
    no_campaign_lead(id):
        "expected the id of a campaign lead, but there is no campaign lead {id}" |
        "es gibt keinen Kampagnen-Lead {id}";
    other_campaign_lead(id, lead, campaign):
        "expected a campaign lead of the call's lead and campaign, but campaign lead {id} is lead {lead} in campaign \
         {campaign}" |
        "Kampagnen-Lead {id} ist Lead {lead} in Kampagne {campaign}, anders als beim Anruf angegeben";
    no_status(name): "expected the name of a status, but found `{name}`" | "es gibt keinen Status `{name}`";
    campaign_named(id, name):
        "expected a name no campaign has, but campaign {id} is `{name}`" |
        "Kampagne {id} heißt schon `{name}`";
    in_campaign(lead, campaign):
        "expected a lead that isn't in the campaign, but lead {lead} is in campaign {campaign} already" |
        "Lead {lead} ist schon in Kampagne {campaign}";
    change_instead(id): "change campaign lead {id} instead" | "ändern Sie stattdessen, was dort von ihm steht (Nummer {id})";
    call_identified(call, identifier):
        "expected an identifier no call has, but call {call} has `{identifier}`" |
        "Anruf {call} hat schon die Kennung `{identifier}`";
    identifies_several(identifier, one, other):
        "expected an original identifier of one lead, but `{identifier}` is that of several, lead {one} and lead {other} \
         among them" |
        "die Kennung `{identifier}` haben mehrere Leads, unter ihnen {one} und {other}";
    give_id: "give the lead's `id`" | "geben Sie die `id` des Leads an";
    full_of_custom_fields(most, count):
        "expected a lead with at most {most} custom fields, but it would have {count}" |
        "ein Lead hat höchstens {most} eigene Felder, dieser hätte {count}";
    many_match(most):
        "expected a filter that at most {most} leads match, but more do" |
        "der Filter trifft auf mehr als {most} Leads zu";
    narrow_or_part:
        "add a condition, or act on the leads part by part (`at_most`)" |
        "ergänzen Sie eine Bedingung, oder ändern Sie die Leads in Teilen (`at_most`)";
    too_many_values:
        "the filter's conditions on callability need more values than the database takes" |
        "die Bedingungen zur Anrufbarkeit brauchen mehr Werte, als die Datenbank annimmt";
    name_campaigns:
        "name a few campaigns beside `callable` and `not_callable_reason` (`campaign_id`)" |
        "nennen Sie neben `callable` und `not_callable_reason` wenige Kampagnen (`campaign_id`)";
    action_undone(id):
        "expected an action that wasn't undone yet, but action {id} was" |
        "Sammeländerung {id} ist schon rückgängig gemacht";
    import_running(id):
        "expected an import that has ended, but import {id} is still running" |
        "Import {id} läuft noch";
    only_admin(user):
        "expected an admin to remain, but user {user} is the only one" |
        "ein Administrator muss bleiben, und Benutzer {user} ist der einzige";
    another_admin: "make another member of staff an admin first" | "machen Sie zuerst jemand anderes zum Administrator";
    recording_is_transcribed:
        "expected a call whose recording isn't transcribed, as its transcript is of this recording" |
        "das Transkript des Anrufs ist das dieser Aufnahme, also kann keine andere an ihre Stelle treten";
    recording_is_kept(state):
        "expected no state, as the recording of the call is ready and its file is kept, found `{state}`" |
        "die Aufnahme des Anrufs ist da und bleibt `ready`, gefunden: `{state}`";
    another_call: "give the other recording to a call of its own" | "geben Sie die andere Aufnahme einem eigenen Anruf";
    status_in_use(name, count):
        "expected a status that no campaign lead has, but `{name}` is the status of {count}" |
        "Leads mit dem Status `{name}` in Kampagnen: {count}";
    other_status: "give these campaign leads another status first" | "geben Sie ihnen zuerst einen anderen Status";
    campaign_in_use(count, id):
        "expected a campaign without leads, but {count} are in campaign {id}" |
        "Leads in Kampagne {id}: {count}";
    empty_or_switch_off:
        "take its leads out first, or switch the campaign off with `\"active\": false`" |
        "nehmen Sie zuerst ihre Leads heraus, oder schalten Sie sie mit `\"active\": false` aus";

    // Imports that correct the rejected rows of another import
    no_import(id): "there is no import {id}" | "es gibt keinen Import {id}";
    import_of_other_kind(id, found, wanted):
        "import {id} is of `{found}`, not of `{wanted}`" |
        "Import {id} enthält `{found}`, nicht `{wanted}`";
    import_is_dry_run(id):
        "import {id} is a dry run; correct its file and import that" |
        "Import {id} hat nur Änderungen gezählt; korrigieren Sie die Datei und importieren Sie diese";
    import_still_running(id):
        "import {id} is still running; wait until it ends" |
        "Import {id} läuft noch; warten Sie, bis er beendet ist";
    import_of_call_details(id):
        "import {id} is of call detail records, whose rows can't be corrected one by one" |
        "Import {id} enthält Anrufdatensätze, deren Zeilen sich nicht einzeln korrigieren lassen";
    import_is_correction(id, first):
        "import {id} is a correction itself; correct the rows of import {first}" |
        "Import {id} ist selbst eine Korrektur; korrigieren Sie die Zeilen von Import {first}";

    // Queries
    plus_is_blank:
        "a `+` in a query is a blank: write `%2B` where a plus is meant" |
        "ein `+` in einer Query ist ein Leerzeichen: schreiben Sie `%2B`, wo ein Plus gemeint ist";
    hint_and_plus(hint):
        "{hint}; a `+` in a query is a blank: write `%2B` where a plus is meant" |
        "{hint}; ein `+` in einer Query ist ein Leerzeichen: schreiben Sie `%2B`, wo ein Plus gemeint ist";

    // Deliveries
    too_many_open_deliveries(open, most, more):
        "{open} deliveries of this token are open and {more} more would be, but at most {most} may be open at once" |
        "{open} Zustellungen dieses Tokens sind offen, und {more} kämen hinzu; höchstens {most} dürfen zugleich offen sein";
    wait_for_deliveries:
        "wait until some have ended, or ask for fewer at once (`limit`); an endpoint that answers 410 ends all of its request" |
        "warten Sie, bis einige beendet sind, oder fordern Sie weniger auf einmal an (`limit`); mit der Antwort 410 beendet ein \
         Endpunkt alle Zustellungen einer Anforderung";

    // Recordings of imported calls
    call_gone: "this call is no longer there, so that its recording can't be kept" | "diesen Anruf gibt es nicht mehr, seine Aufnahme kann nicht behalten werden";
    call_without_recording:
        "the call went in without it" | "der Anruf wurde ohne sie übernommen";
    out_of_reach(file): "the file {file} can't be reached from here" | "die Datei {file} ist von hier aus nicht erreichbar";
    upload_instead:
        "leave the column out and upload to /api/calls/{call_id}/recording, or use \
         `leadscribe import calls FILE --recordings DIR`" |
        "lassen Sie die Spalte weg und laden Sie die Datei nach /api/calls/{call_id}/recording hoch, oder verwenden Sie \
         `leadscribe import calls FILE --recordings DIR`";
}
