//! Texts of campaigns: list, form and effects of changes.

super::texts! {
    campaign: "Campaign" | "Kampagne";
    all_campaigns: "All campaigns" | "Alle Kampagnen";
    new_campaign: "New campaign" | "Neue Kampagne";
    name: "Name" | "Name";
    state: "Status" | "Status";
    active: "Active" | "Aktiv";
    off: "Off" | "Inaktiv";
    progress: "Progress" | "Fortschritt";
    calling_hours: "Calling hours" | "Anrufzeiten";
    attempts: "Attempts" | "Versuche";
    calls_in_all: "Max. calls" | "Max. Anrufe";
    calls_a_day: "Max. calls per day" | "Max. Anrufe pro Tag";

    search_names: "Search by name" | "Nach Name suchen";
    campaigns_found: "Campaigns found" | "Gefundene Kampagnen";
    none_matches: "No campaigns found" | "Keine Kampagnen gefunden";
    none_matches_why: "Try a different name." | "Versuchen Sie einen anderen Namen.";
    show_all: "Show all campaigns" | "Alle Kampagnen anzeigen";
    create_first: "Create your first campaign" | "Erste Kampagne anlegen";
    none_yet: "No campaigns yet" | "Noch keine Kampagnen";
    none_yet_why:
        "A campaign defines when and how often its leads are called. Add leads by import or through the API." |
        "Eine Kampagne legt fest, wann und wie oft ihre Leads angerufen werden. Leads fügen Sie per Import oder API hinzu.";

    without_limit: "No limit" | "Unbegrenzt";
    in_all(all): "{all} total" | "{all} insgesamt";
    a_day(daily): "{daily} per day" | "{daily} pro Tag";
    in_all_and_a_day(all, daily): "{all} total, {daily} per day" | "{all} insgesamt, {daily} pro Tag";
    then_frozen_for(time): "then frozen for {time}" | "danach {time} pausiert";
    no_leads: "No leads" | "Keine Leads";
    done(count): "{count} done" / "{count} done" | "{count} erledigt" / "{count} erledigt";
    called(count): "{count} called" / "{count} called" | "{count} angerufen" / "{count} angerufen";
    new(count): "{count} new" / "{count} new" | "{count} neu" / "{count} neu";

    unlike_others: "Must be unique." | "Muss eindeutig sein.";
    calls_in_all_hint: "Empty = no limit." | "Leer = unbegrenzt.";
    calls_a_day_hint: "Resets at 00:00 UTC. Empty = no limit." | "Beginnt um 00:00 UTC neu. Leer = unbegrenzt.";
    freeze: "Freeze after a call, in minutes" | "Pause nach Anruf, in Minuten";
    freeze_hint:
        "Counted from the end of an outbound call. Leads already frozen keep their time." |
        "Ab dem Ende eines ausgehenden Anrufs. Für bereits pausierte Leads ändert sich nichts.";
    no_freeze: "No freeze" | "Keine Pause";
    days(count): "{count} day" / "{count} days" | "{count} Tag" / "{count} Tage";
    hours(count): "{count} h" / "{count} h" | "{count} Std." / "{count} Std.";
    minutes(count): "{count} min" / "{count} min" | "{count} Min." / "{count} Min.";

    when_called: "When leads are called" | "Wann Leads angerufen werden";
    at_these_hours: "During set hours" | "Zu festen Zeiten";
    at_any_time: "At any time" | "Jederzeit";
    all_day: "all day" | "ganztags";
    at_any_time_hint:
        "Day and night, regardless of the lead's time zone." |
        "Tag und Nacht, unabhängig von der Zeitzone des Leads.";
    calling_days: "Days" | "Tage";
    from: "From" | "Von";
    to: "To" | "Bis";
    by_own_clock:
        "In each lead's local time. Leads without a time zone are not called." |
        "In der Ortszeit des jeweiligen Leads. Leads ohne Zeitzone werden nicht angerufen.";
    until_midnight: "Until midnight." | "Bis Mitternacht.";
    past_midnight(end): "Ends at {end} on the next day." | "Endet am nächsten Tag um {end}.";

    unsaved_changes: "Unsaved changes" | "Nicht gespeicherte Änderungen";
    discard: "Discard" | "Verwerfen";
    unsaved_stay:
        "Changes you made since then are still in the form, unsaved." |
        "Spätere Änderungen stehen noch ungespeichert im Formular.";
    is_saved(name): "Saved “{name}”" | "„{name}“ gespeichert";
    create: "Create" | "Anlegen";
    is_created(name): "Created “{name}”" | "„{name}“ angelegt";
    role_only_reads: "Your role can't change campaigns." | "Ihre Rolle darf Kampagnen nicht ändern.";
    for_managers: "Your role can't create campaigns" | "Ihre Rolle darf keine Kampagnen anlegen";
    for_managers_why: "Ask an administrator if you need access." | "Bitten Sie bei Bedarf einen Administrator um Zugriff.";
    no_such_campaign: "Campaign not found" | "Kampagne nicht gefunden";
    no_such_campaign_why: "It may have been deleted." | "Möglicherweise wurde sie gelöscht.";
    more_about: "Campaign details" | "Details zur Kampagne";
    its_leads: "Show leads" | "Leads anzeigen";
    its_calls: "Show calls" | "Anrufe anzeigen";
    created: "Created" | "Angelegt";
    changed: "Changed" | "Geändert";
    id: "ID" | "ID";

    callable_now: "Callable now" | "Jetzt anrufbar";
    if_you_save: "if you save" | "wenn Sie speichern";
    mend_to_see:
        "Fix the highlighted fields to preview your changes." |
        "Korrigieren Sie die markierten Felder, um die Auswirkung zu sehen.";
    /// Below the number of callable leads.
    of_callable(count):
        "of {count} lead can be called now" / "of {count} leads can be called now" |
        "von {count} Lead jetzt anrufbar" / "von {count} Leads jetzt anrufbar";
    about(count): "about {count}" / "about {count}" | "etwa {count}" / "etwa {count}";
    estimated(count):
        "Estimated from a sample of {count} lead." / "Estimated from a sample of {count} leads." |
        "Geschätzt anhand einer Stichprobe von {count} Lead." / "Geschätzt anhand einer Stichprobe von {count} Leads.";
    /// Between the old and the new number.
    becomes: " changes to " | " wird zu ";
    each_change: "Effect of each change" | "Auswirkung je Änderung";
    no_effect: "No effect on who is callable now." | "Keine Auswirkung darauf, wer jetzt anrufbar ist.";
    why_others: "Why the others aren't callable" | "Warum die anderen nicht anrufbar sind";
    reason: "Reason" | "Grund";
    leads: "Leads" | "Leads";
    saved: "Saved" | "Gespeichert";
    several_reasons: "Leads can have more than one reason." | "Ein Lead kann mehrere Gründe haben.";
}
