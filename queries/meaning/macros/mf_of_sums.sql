-- mf_of_sums: MF-score of one output or of a system, 0 to 1, from its statistics or their sums; NULL where undefined.
-- Takes a list of triples matched, of the outputs' graphs and of the gold graphs, outputs that are
-- acceptable, and outputs judged, as score_mf stores it. Opitz & Frank 2021, equation 1.
CREATE OR REPLACE MACRO mf_of_sums(sums, beta) AS
    mf(graph_overlap('', sums[1], sums[2], sums[3]), sums[4] / nullif(sums[5], 0), beta);
