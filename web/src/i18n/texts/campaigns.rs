//! Texts of campaigns: list, form and effects of changes.

super::texts! {
    all_campaigns: "All campaigns" | "Alle Kampagnen";
    new_campaign: "New campaign" | "Neue Kampagne";
    active: "Active" | "Aktiv";
    inactive: "Inactive" | "Inaktiv";
    calling_hours: "Calling hours" | "Anrufzeiten";
    max_calls: "Max. calls" | "Max. Anrufe";
    max_calls_per_day: "Max. calls per day" | "Max. Anrufe pro Tag";

    search_names: "Search by name" | "Nach Name suchen";
    campaigns_found: "Campaigns found" | "Gefundene Kampagnen";
    no_match: "No matching campaigns" | "Keine passenden Kampagnen";
    no_match_hint: "Try a different name." | "Versuchen Sie einen anderen Namen.";
    show_all: "Show all campaigns" | "Alle Kampagnen anzeigen";
    create_first: "Create your first campaign" | "Erste Kampagne anlegen";
    no_campaigns: "No campaigns yet" | "Noch keine Kampagnen";
    no_campaigns_hint:
        "A campaign defines when and how often its leads are called. Add leads by import or through the API." |
        "Eine Kampagne legt fest, wann und wie oft ihre Leads angerufen werden. Leads fügen Sie per Import oder API hinzu.";

    without_limit: "No limit" | "Unbegrenzt";
    total_limit(all): "{all} total" | "{all} insgesamt";
    daily_limit(daily): "{daily} per day" | "{daily} pro Tag";
    total_and_daily_limit(all, daily): "{all} total, {daily} per day" | "{all} insgesamt, {daily} pro Tag";
    freeze_after_attempt(time): "then frozen for {time}" | "danach {time} pausiert";
    no_leads: "No leads" | "Keine Leads";
    done(count): "{count} done" / "{count} done" | "{count} erledigt" / "{count} erledigt";
    called(count): "{count} called" / "{count} called" | "{count} angerufen" / "{count} angerufen";
    new(count): "{count} new" / "{count} new" | "{count} neu" / "{count} neu";

    must_be_unique: "Must be unique." | "Muss eindeutig sein.";
    max_calls_hint: "Empty = no limit." | "Leer = unbegrenzt.";
    max_calls_per_day_hint: "Resets at 00:00 UTC. Empty = no limit." | "Wird um 00:00 UTC zurückgesetzt. Leer = unbegrenzt.";
    freeze: "Freeze after a call, in minutes" | "Pause nach Anruf, in Minuten";
    freeze_hint: "Counted from the end of an outbound call. Leads that are already frozen aren't affected."
        | "Ab dem Ende eines ausgehenden Anrufs. Für bereits pausierte Leads ändert sich nichts.";
    no_freeze: "No freeze" | "Keine Pause";

    calling_times: "When leads are called" | "Wann Leads angerufen werden";
    at_these_hours: "During set hours" | "Zu festen Zeiten";
    at_any_time: "At any time" | "Jederzeit";
    all_day: "All day" | "Ganztägig";
    at_any_time_hint: "Day and night, regardless of the lead's time zone."
        | "Tag und Nacht, unabhängig von der Zeitzone des Leads.";
    calling_days: "Days" | "Tage";
    local_time_hint: "In each lead's local time. Leads without a time zone are not called."
        | "In der Ortszeit des jeweiligen Leads. Leads ohne Zeitzone werden nicht angerufen.";
    until_midnight: "Until midnight." | "Bis Mitternacht.";
    ends_next_day(end): "Ends at {end} on the next day." | "Endet am nächsten Tag um {end} Uhr.";

    later_changes_unsaved: "Changes you made since then are still in the form, unsaved."
        | "Spätere Änderungen stehen noch ungespeichert im Formular.";
    create_campaign: "Create campaign" | "Kampagne anlegen";
    created(name): "Created “{name}”" | "„{name}“ angelegt";
    role_is_read_only: "Your role can't change campaigns." | "Ihre Rolle darf Kampagnen nicht ändern.";
    role_cannot_create: "Your role can't create campaigns" | "Ihre Rolle darf keine Kampagnen anlegen";
    campaign_not_found: "Campaign not found" | "Kampagne nicht gefunden";
    campaign_details: "Campaign details" | "Details zur Kampagne";
    show_calls: "Show calls" | "Anrufe anzeigen";
    changed: "Changed" | "Geändert";
    id: "ID" | "ID";

    if_you_save: "if you save" | "wenn Sie speichern";
    fix_to_preview: "Fix the highlighted fields to preview your changes."
        | "Korrigieren Sie die markierten Felder, um die Auswirkung zu sehen.";
    /// Below the number of callable leads.
    callable_of_total(count): "of {count} lead can be called now" / "of {count} leads can be called now"
        | "von {count} Lead jetzt anrufbar" / "von {count} Leads jetzt anrufbar";
    about(count): "about {count}" / "about {count}" | "etwa {count}" / "etwa {count}";
    estimated(count):
        "Estimated from a sample of {count} lead." / "Estimated from a sample of {count} leads." |
        "Geschätzt anhand einer Stichprobe von {count} Lead." / "Geschätzt anhand einer Stichprobe von {count} Leads.";
    /// Between the old and the new number.
    changes_to: " changes to " | " wird zu ";
    effect_of_each_change: "Effect of each change" | "Auswirkung je Änderung";
    no_effect: "Doesn't change which leads are callable now." | "Ändert nichts daran, welche Leads jetzt anrufbar sind.";
    why_not_callable: "Why the others aren't callable" | "Warum die anderen nicht anrufbar sind";
    saved: "Saved" | "Gespeichert";
}
