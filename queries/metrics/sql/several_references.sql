-- several_references: one row per treebank of which several references are used: how many its sentences have, and a hash of all.
-- $references: all or first; NULL: what each has chosen, which is all where nothing was. The number is 'var' where not all sentences have as many.
WITH counted AS (
    SELECT treebank_id, sentence_no, 1 + count(reference_name) AS number
    FROM sentence
    SEMI JOIN alternative_reference USING (treebank_id)
    LEFT JOIN alternative_reference USING (treebank_id, sentence_no)
    GROUP BY ALL
),
numbers AS (
    SELECT treebank_id, CASE WHEN min(number) = max(number) THEN max(number)::VARCHAR ELSE 'var' END AS number
    FROM counted
    GROUP BY treebank_id
),
named AS (
    SELECT
        treebank_id, reference_name,
        sha256(string_agg(concat_ws(chr(31), sentence_no, alternative_reference.text), chr(30) ORDER BY sentence_no)) AS sha256
    FROM alternative_reference
    GROUP BY ALL
)
SELECT
    treebank_id,
    any_value(number) AS number,
    sha256(concat_ws(' ', any_value(treebank.sha256), string_agg(named.sha256, ' ' ORDER BY reference_name))) AS sha256
FROM treebank
JOIN numbers USING (treebank_id)
JOIN named USING (treebank_id)
LEFT JOIN (FROM standing_choice WHERE metric = 'references') AS chosen USING (treebank_id)
WHERE NOT hidden_text AND coalesce($references, settings, 'all') = 'all'
GROUP BY treebank_id;
