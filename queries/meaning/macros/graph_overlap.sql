-- graph_overlap: what two meaning graphs share, 0 to 1: F1, or precision or recall where the metric says so.
-- Takes sums over sentences (micro average) as well as the counts of one; NULL where there is nothing to share.
CREATE OR REPLACE MACRO graph_overlap(metric, matched, output_triples, gold_triples) AS
    CASE
        WHEN ends_with(metric, '_precision') THEN matched / nullif(output_triples, 0)
        WHEN ends_with(metric, '_recall') THEN matched / nullif(gold_triples, 0)
        ELSE 2 * matched / nullif(output_triples + gold_triples, 0)
    END;
