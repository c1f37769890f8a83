-- numbers_of: the different numbers of a text, in order, as number_as_text writes them; digits of any script are ASCII's.
-- A minus sign counts before a number, not within a range or a word. A date is its parts, so that 2024-05-01 and
-- 1.5.2024 have the same numbers. A percent sign is no part of a number.
CREATE OR REPLACE MACRO numbers_of(text) AS
    CASE WHEN regexp_matches(text, '\p{Nd}') THEN list_sort(list_distinct(list_transform(
        flatten(list_transform(
            regexp_extract_all(
                regexp_replace(
                    CASE WHEN regexp_matches(text, '[^\x00-\x7f]') THEN translate(
                        text,
                        '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯๐๑๒๓๔๕๖๗๘๙０１２３４５６７８９−–٫٬．',
                        '012345678901234567890123456789012345678901234567890123456789--.,.'
                    ) ELSE text END,
                    '([\p{L}\p{N}])-', '\1;', 'g'
                ),
                '-?(?:[1-9][0-9]{0,2}(?:[ \x{a0}\x{2009}\x{202f}][0-9]{3})+(?:[.,][0-9]+)?\b|[0-9]+(?:[.,''’][0-9]+)*)'
            ),
            lambda number: CASE
                WHEN regexp_matches(number, '^[0-9]+([.,''’])[0-9]+[.,''’]')
                    AND NOT regexp_full_match(number, '[1-9][0-9]{0,2}([.,''’][0-9]{3})+([.,][0-9]+)?')
                    THEN string_split_regex(number, '[.,''’]')
                ELSE [number]
            END
        )),
        lambda number: number_as_text(number)
    ))) ELSE []::VARCHAR[] END;
