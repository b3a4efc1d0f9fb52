-- New names of audited actions. Entries of earlier versions get them too, so that a filter by action finds all entries.
UPDATE audit_log SET action = CASE action
    WHEN 'recording.set' THEN 'recording.upload'
    WHEN 'session.refused' THEN 'session.reject'
    WHEN 'status.order' THEN 'status.reorder'
    WHEN 'status.put' THEN 'status.save'
    ELSE 'user.change_password'
END WHERE action IN ('recording.set', 'session.refused', 'status.order', 'status.put', 'user.password');
