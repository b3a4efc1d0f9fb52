//! Texts of campaigns: list, form and effects of changes.

super::texts! {
    campaign: "Campaign" | "Kampagne";
    all_campaigns: "All campaigns" | "Alle Kampagnen";
    new_campaign: "New campaign" | "Neue Kampagne";
    name: "Name" | "Name";
    state: "State" | "Zustand";
    active: "Active" | "Aktiv";
    off: "Off" | "Aus";
    progress: "Progress" | "Fortschritt";
    calling_hours: "Calling hours" | "Anrufzeiten";
    attempts: "Attempts" | "Versuche";
    calls_in_all: "Calls in all" | "Anrufe insgesamt";
    calls_a_day: "Calls a day" | "Anrufe am Tag";

    search_names: "Search names" | "Namen suchen";
    campaigns_found: "Campaigns found" | "Gefundene Kampagnen";
    none_matches: "No campaign matches" | "Keine Kampagne passt";
    none_matches_why: "Look for another part of the name." | "Suchen Sie einen anderen Teil des Namens.";
    show_all: "Show all campaigns" | "Alle Kampagnen zeigen";
    create_first: "Create the first one" | "Die erste anlegen";
    none_yet: "No campaigns yet" | "Noch keine Kampagnen";
    none_yet_why:
        "A campaign says when its leads may be called, and how often. Leads come into it by an import, or over the API." |
        "Eine Kampagne sagt, wann ihre Leads angerufen werden dürfen und wie oft. Leads kommen durch einen Import oder über die API hinein.";

    without_limit: "Without limit" | "Ohne Grenze";
    in_all(all): "{all} in all" | "{all} insgesamt";
    a_day(daily): "{daily} a day" | "{daily} am Tag";
    in_all_and_a_day(all, daily): "{all} in all, {daily} a day" | "{all} insgesamt, {daily} am Tag";
    then_frozen_for(time): "then frozen for {time}" | "danach {time} zurückgestellt";
    no_leads: "No leads" | "Keine Leads";
    done(count): "{count} done" / "{count} done" | "{count} erledigt" / "{count} erledigt";
    called(count): "{count} called" / "{count} called" | "{count} angerufen" / "{count} angerufen";
    new(count): "{count} new" / "{count} new" | "{count} neu" / "{count} neu";

    unlike_others: "Unlike any other campaign's." | "Jede Kampagne heißt anders.";
    calls_in_all_hint:
        "Afterwards a lead isn't called again. Empty: without limit." |
        "Danach wird ein Lead nicht mehr angerufen. Leer: ohne Grenze.";
    calls_a_day_hint: "Days are those of UTC. Empty: without limit." | "Es gelten die Tage nach UTC. Leer: ohne Grenze.";
    freeze: "Freeze after an attempt, in minutes" | "Sperrfrist nach einem Versuch, in Minuten";
    freeze_hint:
        "From the end of an outbound call. Leads that are frozen stay so." |
        "Vom Ende eines ausgehenden Anrufs an. Zurückgestellte Leads bleiben es.";
    no_freeze: "No freeze" | "Keine Sperrfrist";
    days(count): "{count} day" / "{count} days" | "{count} Tag" / "{count} Tage";
    hours(count): "{count} h" / "{count} h" | "{count} Std." / "{count} Std.";
    minutes(count): "{count} min" / "{count} min" | "{count} Min." / "{count} Min.";

    when_called: "When leads are called" | "Wann Leads angerufen werden";
    at_these_hours: "At these hours" | "Zu diesen Zeiten";
    at_any_time: "At any time" | "Jederzeit";
    all_day: "all day" | "ganztags";
    at_any_time_hint:
        "Day and night, whatever the lead's time zone, known or not." |
        "Tag und Nacht, in welcher Zeitzone der Lead auch ist, bekannt oder nicht.";
    calling_days: "Days" | "Tage";
    from: "From" | "Von";
    to: "To" | "Bis";
    by_own_clock:
        "By the clock of each lead's own time zone. Leads whose time zone isn't known are not called." |
        "Nach der Uhr in der Zeitzone des jeweiligen Leads. Leads ohne bekannte Zeitzone werden nicht angerufen.";
    until_midnight: "Until midnight." | "Bis Mitternacht.";
    past_midnight(end):
        "Runs past midnight: until {end} on the day after each of these days." |
        "Geht über Mitternacht: bis {end} am Tag nach jedem dieser Tage.";

    unsaved_changes: "Unsaved changes" | "Nicht gespeicherte Änderungen";
    discard: "Discard" | "Verwerfen";
    unsaved_stay: "What you changed since stays in the form, unsaved." | "Was Sie seitdem geändert haben, bleibt im Formular, nicht gespeichert.";
    is_saved(name): "{name} is saved." | "{name} ist gespeichert.";
    create: "Create" | "Anlegen";
    is_created(name): "{name} is created." | "{name} ist angelegt.";
    role_only_reads: "Your role may look at campaigns, but not change them." | "Ihre Rolle darf Kampagnen ansehen, aber nicht ändern.";
    for_managers: "Campaigns are created by managers" | "Kampagnen werden von Managern angelegt";
    for_managers_why:
        "Your role lets you look at campaigns. Ask an administrator if you are to create them." |
        "Mit Ihrer Rolle können Sie Kampagnen ansehen. Wenden Sie sich an die Verwaltung, wenn Sie welche anlegen sollen.";
    no_such_campaign: "There is no such campaign" | "Diese Kampagne gibt es nicht";
    no_such_campaign_why: "It may have been deleted since the link was made." | "Vielleicht wurde sie gelöscht, seit der Link entstand.";
    more_about: "More about this campaign" | "Mehr zu dieser Kampagne";
    its_leads: "Its leads" | "Leads der Kampagne";
    its_calls: "Its calls" | "Anrufe der Kampagne";
    created: "Created" | "Angelegt";
    changed: "Changed" | "Geändert";
    id: "Id" | "ID";

    callable_now: "Callable now" | "Jetzt anrufbar";
    if_you_save: "if you save" | "wenn Sie speichern";
    mend_to_see:
        "Mend the marked fields to see what your changes would do." |
        "Beheben Sie die markierten Felder, um zu sehen, was Ihre Änderungen bewirken.";
    /// Below the number of callable leads.
    of_callable(count):
        "of {count} lead can be called now" / "of {count} leads can be called now" |
        "von {count} Lead jetzt anrufbar" / "von {count} Leads jetzt anrufbar";
    about(count): "about {count}" / "about {count}" | "etwa {count}" / "etwa {count}";
    estimated(count):
        "Estimated from {count} of them, taken from everywhere in the campaign." /
        "Estimated from {count} of them, taken from everywhere in the campaign." |
        "Geschätzt aus {count} davon, quer durch die Kampagne entnommen." /
        "Geschätzt aus {count} davon, quer durch die Kampagne entnommen.";
    /// Between the old and the new number.
    becomes: " becomes " | " wird zu ";
    each_change: "Each change alone" | "Jede Änderung für sich";
    no_effect:
        "What you changed makes no lead callable, and none uncallable." |
        "Ihre Änderungen ändern nichts daran, welche Leads anrufbar sind.";
    why_others: "Why the others can't" | "Warum die anderen nicht";
    reason: "Reason" | "Grund";
    leads: "Leads" | "Leads";
    saved: "Saved" | "Gespeichert";
    several_reasons: "A lead can have several reasons." | "Ein Lead kann mehrere Gründe haben.";
}
