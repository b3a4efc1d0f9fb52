//! Errors in filters.

super::messages! {
    // Whole filter
    filter_object: "a filter in an object" | "ein Filter in einem Objekt";
    empty_filter:
        "expected a filter with at least one key, found none" |
        "der Filter braucht mindestens einen Schlüssel";
    list_all: "to list all leads, send {\"limit\":\"200;0\"}" | "für alle Leads senden Sie {\"limit\":\"200;0\"}";
    at_most_conditions(max): "at most {max} conditions" | "höchstens {max} Bedingungen";
    use_array: "one array can hold many values of a field" | "eine Liste kann viele Werte eines Felds enthalten";
    empty_group(key): "expected at least one branch in `{key}`, found none" | "in `{key}` fehlt mindestens ein Zweig";
    group_form(key):
        "a group is written {\"{key}\":[{\"city\":\"Bonn\"},{\"state\":\"CA\"}]}" |
        "eine Gruppe wird {\"{key}\":[{\"city\":\"Bonn\"},{\"state\":\"CA\"}]} geschrieben";
    empty_branch: "expected at least one condition in a branch, found none" | "in diesem Zweig fehlt mindestens eine Bedingung";
    at_most_groups(max): "at most {max} nested groups" | "höchstens {max} ineinander verschachtelte Gruppen";
    branches: "an array of objects" | "eine Liste von Objekten";
    conditions: "an object of conditions" | "ein Objekt mit Bedingungen";

    // Keys
    field: "a field of leads or campaign leads" | "ein Feld von Leads oder Kampagnen-Leads";
    custom_form(name): "write a custom field as {name}" | "verwenden Sie {name} für ein eigenes Feld";
    control: "a control" | "ein Steuerparameter";
    control_in_branch(key):
        "expected conditions in a branch, found the control `{key}`" |
        "ein Zweig darf nur Bedingungen enthalten, gefunden: der Steuerparameter `{key}`";
    move_to_top(key): "put `{key}` at the top of the filter" | "stellen Sie `{key}` in die oberste Ebene des Filters";
    group_in_parameters(key):
        "expected a field or a control, found the group `{key}`" |
        "erwartet: ein Feld oder ein Steuerparameter, gefunden: die Gruppe `{key}`";
    groups_need_body:
        "groups need a JSON body: PUT /api/leads/extended-data" |
        "Gruppen brauchen JSON: PUT /api/leads/extended-data";

    // Values
    without_space(key): "a value for `{key}` without a space at this position" | "ein Wert für `{key}` ohne Leerzeichen an dieser Stelle";
    custom_field_value: "a string, a number, `true` or `false`" | "ein Text, eine Zahl, `true` oder `false`";
    number_or_expression:
        "write a number such as 5, or an expression such as `5;>`" |
        "verwenden Sie eine Zahl wie 5 oder einen Ausdruck wie `5;>`";
    write_in_quotes(value):
        "write it in double quotes: \"{value}\"" |
        "setzen Sie den Wert in doppelte Anführungszeichen: \"{value}\"";
    date_time_form: "write it like \"2026-05-01 09:30:00\"" | "geben Sie ihn an wie \"2026-05-01 09:30:00\"";
    iso_date: "write it like \"2026-05-01\"" | "geben Sie es an wie \"2026-05-01\"";
    at_most_values(max): "at most {max} values in an array" | "höchstens {max} Werte in einer Liste";
    plain_value: "a plain value in the array" | "ein einfacher Wert in der Liste";

    // Expressions
    expression_in_list:
        "expected plain values in a list, found an expression" |
        "eine Liste darf nur einfache Werte enthalten, gefunden: ein Ausdruck";
    expression_alone:
        "a list can't contain expressions; use operators for several conditions on one field" |
        "eine Liste kann keine Ausdrücke enthalten; für mehrere Bedingungen an ein Feld gibt es Operatoren";
    expression_in_operator(operator):
        "expected a plain value for `{operator}`, found an expression" |
        "`{operator}` braucht einen einfachen Wert, gefunden: ein Ausdruck";
    omit_symbol:
        "remove `;` and what follows; the operator comes before the value" |
        "lassen Sie `;` und alles danach weg; der Operator steht vor dem Wert";
    at_most_two_expressions: "at most two expressions joined by `|`" | "höchstens zwei mit `|` verbundene Ausdrücke";
    use_operators:
        "use operators for more conditions on one field: `gte`, `not`" |
        "für mehr Bedingungen an ein Feld gibt es Operatoren: `gte`, `not`";
    expression: "`<value>;<operator>`" | "`<Wert>;<Operator>`";
    add_symbol: "add an operator: `;>`, `;<`, `;>=`, `;<=`, `;=` or `;!=`" | "ergänzen Sie einen Operator: `;>`, `;<`, `;>=`, `;<=`, `;=` oder `;!=`";
    value_before_symbol: "expected a value before `;`, found none" | "vor `;` fehlt ein Wert";
    symbol(symbols): "an operator ({symbols})" | "ein Operator ({symbols})";

    // Operators
    operator: "an operator" | "ein Operator";
    empty_operators: "expected at least one operator in the object, found none" | "im Objekt fehlt mindestens ein Operator";
    operator_for(key, operators): "an operator for {key} ({operators})" | "ein Operator für {key} ({operators})";
    value_or_array: "a value or an array for the operator" | "ein Wert oder eine Liste für den Operator";
    single_value(operator): "a single value for `{operator}`" | "ein einzelner Wert für `{operator}`";
    array_for_in: "an array for `in`" | "eine Liste für `in`";
    put_into_array: "put it into [ ]" | "setzen Sie ihn in [ ]";
    write_array(value): "write [{value}]" | "verwenden Sie [{value}]";
    boolean_for_null: "`true` or `false` for `null`" | "`true` oder `false` für `null`";

    // Page
    limit_string: "a string \"<count>;<offset>\"" | "ein Text \"<Anzahl>;<Versatz>\"";
    limit_form: "`<count>` or `<count>;<offset>` in plain digits" | "`<Anzahl>` oder `<Anzahl>;<Versatz>`, nur aus Ziffern";
    limit_examples:
        "the first 200 are `200;0`, the next 200 are `200;200`" |
        "die ersten 200 sind `200;0`, die nächsten 200 sind `200;200`";
    count_in_digits: "the count in plain digits" | "die Anzahl, nur aus Ziffern";
    offset_in_digits: "the offset in plain digits" | "der Versatz, nur aus Ziffern";
    count_within(max): "a count from 0 to {max}" | "eine Anzahl von 0 bis {max}";
    offset_within(max): "an offset from 0 to {max}" | "ein Versatz von 0 bis {max}";
    use_cursor: "use `_cursor` to page through many leads" | "blättern Sie mit `_cursor` durch viele Leads";
    at_most_order_keys(max): "at most {max} fields in `_order`" | "höchstens {max} Felder in `_order`";
    lead_field: "a field of the lead" | "ein Feld des Leads";
    order_by_lead_field:
        "leads can't be sorted by campaign fields, because a lead may be in several campaigns" |
        "Leads lassen sich nicht nach Feldern der Kampagne sortieren, weil ein Lead in mehreren Kampagnen sein kann";
    repeated_order(key): "`_order` repeats {key}" | "`_order` enthält {key} mehrfach";
    response_field: "a member of the returned leads" | "ein Feld der Antwort";
    custom_fields_together:
        "custom fields are only returned together: `custom_fields`" |
        "eigene Felder gibt es nur zusammen: `custom_fields`";
    names_form: "write [\"first_name\",\"phone\"]" | "verwenden Sie [\"first_name\",\"phone\"]";
    string_or_strings: "a string or an array of strings" | "ein Text oder eine Liste von Texten";
    string_or_null: "a string or null" | "ein Text oder null";
    invalid_cursor: "the cursor is invalid" | "der Cursor ist ungültig";
    cursor_of_other_order:
        "the cursor belongs to another sort order" |
        "der Cursor gehört zu einer anderen Sortierung";
    use_next_cursor:
        "send `next_cursor` of the previous page with the same `_order`, or an empty cursor for the first page" |
        "senden Sie `next_cursor` der vorigen Seite mit derselben `_order`, oder für die erste Seite einen leeren Cursor";
    cursor_with_offset: "`_cursor` requires the offset 0" | "mit `_cursor` muss der Versatz 0 sein";
    cursor_sets_start: "the cursor already sets where the page starts" | "der Cursor legt schon fest, wo die Seite beginnt";
}
