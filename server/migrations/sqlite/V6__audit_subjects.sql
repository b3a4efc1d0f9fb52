-- What was done to one thing is looked up where that thing is shown.
CREATE INDEX audit_log_by_subject ON audit_log (subject, id);
