-- number_as_text: a number as it is compared: without marks of thousands and zeros that change nothing, its decimal mark a point.
-- Of 1,234.50 and 1.234,5 and 1 234.5 it is 1234.5; of 1.234 it is 1234, as three digits are taken for thousands.
CREATE OR REPLACE MACRO number_as_text(number) AS
    regexp_replace(
        regexp_replace(
            regexp_replace(
                CASE
                    WHEN regexp_full_match(number, '-?[1-9][0-9]{0,2}([.,''’\s\p{Z}][0-9]{3})+([.,][0-9]+)?')
                        THEN regexp_replace(number, '[.,''’\s\p{Z}]([0-9]{3})', '\1', 'g')
                    ELSE number
                END,
                '[,''’]', '.', 'g'
            ),
            '^(-?)0+([0-9])', '\1\2'
        ),
        '(\.[0-9]*?)0+$', '\1'
    ).rtrim('.');
