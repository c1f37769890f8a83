-- plain_text: surface text as the shared task normalises it: lowercased, without extra blanks.
-- The function normalised_text costs much more than lower(), so it gets only the texts where they
-- differ: those with other whitespace than single blanks within, and with the two letters that
-- lower() writes otherwise than Unicode does.
CREATE OR REPLACE TEMP MACRO plain_text(given) AS
    CASE
        WHEN regexp_matches(
            given,
            '^ |  | $|[\t-\r\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}İΣ]'
        ) THEN normalised_text(given)
        ELSE lower(given)
    END;
