-- one_reference: one row per sentence of the submissions at hand: its reference, and no list of several.
CREATE OR REPLACE TEMP VIEW listed_reference AS
SELECT *, NULL::VARCHAR[] AS references_raw, NULL::VARCHAR[] AS references_text
FROM single_reference;
