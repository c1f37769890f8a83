-- upos_covers: whether a part of speech is among those of a grammar rule: one, several between slashes, or * for any.
CREATE OR REPLACE MACRO upos_covers(wanted, upos) AS
    wanted = '*' OR list_contains(string_split(wanted, '/'), upos);
