//! Names of months, and errors in dates and times.

super::messages! {
    date_time_forms:
        "`YYYY-MM-DD hh:mm:ss` (UTC) or RFC 3339 such as `2026-05-01T09:30:00Z`" |
        "`YYYY-MM-DD hh:mm:ss` (UTC) oder RFC 3339 wie `2026-05-01T09:30:00Z`";
    date_form: "a date as `YYYY-MM-DD`" | "ein Datum wie `YYYY-MM-DD`";
    time_after_date: "a time after the date" | "eine Uhrzeit nach dem Datum";
    space_after_date: "a space or `T` after the date" | "ein Leerzeichen oder `T` nach dem Datum";
    nothing_after_seconds:
        "nothing after the seconds (this form is always UTC)" |
        "nichts nach den Sekunden (diese Form ist immer UTC)";
    outside_years: "the time is outside the years 1 to 9999 in UTC" | "der Zeitpunkt liegt in UTC außerhalb der Jahre 1 bis 9999";
    no_such_day(day, month, year): "{day} {month} {year} doesn't exist" | "den {day}. {month} {year} gibt es nicht";
    digits_for(digits, part): "{digits} digits for {part}" | "{digits} Ziffern für {part}";
    range_for(low, high, part): "{low} to {high} for {part}" | "{low} bis {high} für {part}";
    digit_after_point: "a digit after the `.`" | "eine Ziffer nach dem `.`";
    at_most_6_digits:
        "at most 6 digits after the `.`, for microseconds" |
        "höchstens 6 Ziffern nach dem `.`, für Mikrosekunden";
    offset: "`Z` or an offset such as `+02:00`" | "`Z` oder ein UTC-Versatz wie `+02:00`";
    nothing_more: "nothing more" | "nichts weiter";
    the_end: "the end" | "das Ende";

    year: "the year" | "das Jahr";
    month: "the month" | "den Monat";
    day: "the day" | "den Tag";
    hour: "the hour" | "die Stunde";
    minute: "the minute" | "die Minute";
    second: "the second" | "die Sekunde";
    offset_hours: "the offset's hours" | "die Stunden des UTC-Versatzes";
    offset_minutes: "the offset's minutes" | "die Minuten des UTC-Versatzes";

    january: "January" | "Januar";
    february: "February" | "Februar";
    march: "March" | "März";
    april: "April" | "April";
    may: "May" | "Mai";
    june: "June" | "Juni";
    july: "July" | "Juli";
    august: "August" | "August";
    september: "September" | "September";
    october: "October" | "Oktober";
    november: "November" | "November";
    december: "December" | "Dezember";
}
