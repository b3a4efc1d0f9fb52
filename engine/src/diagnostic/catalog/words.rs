//! Errors in transcript searches.

super::messages! {
    no_words:
        "expected at least one word with letters or digits, found none" |
        "es fehlt ein Wort mit Buchstaben oder Ziffern";
    at_most_words(max): "at most {max} words and phrases" | "höchstens {max} Wörter und Wortfolgen";
    misplaced_star:
        "`*` is only allowed at the end of a word or phrase" |
        "`*` darf nur am Ende eines Worts oder einer Wortfolge stehen";
    star_form: "write the start of a word as `deliver*`" | "geben Sie den Anfang eines Worts als `liefer*` an";
    unclosed_phrase(quote):
        "expected `{quote}` at the end of the phrase, found none" |
        "am Ende der Wortfolge fehlt `{quote}`";
    close_quote(close, open):
        "close it with `{close}`, or leave out the `{open}`" |
        "schließen Sie sie mit `{close}` oder lassen Sie `{open}` weg";
}
