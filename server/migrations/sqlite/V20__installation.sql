-- Which installation this is: its recordings say whose they are, so that no other database takes them for left behind.
CREATE TABLE installation (
    id TEXT NOT NULL PRIMARY KEY
) STRICT;
INSERT INTO installation (id) VALUES (lower(hex(randomblob(16))));
