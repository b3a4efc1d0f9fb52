-- Which installation this is: its recordings say whose they are, so that no other database takes them for left behind.
CREATE TABLE installation (
    id TEXT COLLATE "C" PRIMARY KEY
);
INSERT INTO installation (id) VALUES (replace(CAST(gen_random_uuid() AS TEXT), '-', ''));
