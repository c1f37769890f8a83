-- suspicion_score: how strongly a pattern goes with failure and its absence with success, 0 or more.
-- S(f) = 1/2 (c(f|F)/c(f) ln c(f) + c(not f|P)/c(not f) ln c(not f)), c counting sentences, F the
-- failed and P the passed ones. The original definition (Narayan and Gardent 2012) divides the
-- second part by c(not f), the sentences without f, as here; the text of Shimorina et al. 2021,
-- section 3.4, prints c(f) there. A part whose sentences there are none of is 0.
CREATE OR REPLACE MACRO suspicion_score(failed, sentences, all_failed, all_sentences) AS
    0.5 * (
        coalesce(failed / nullif(sentences, 0) * ln(nullif(sentences, 0)), 0)
        + coalesce(
            (all_sentences - sentences - all_failed + failed)
            / nullif(all_sentences - sentences, 0)
            * ln(nullif(all_sentences - sentences, 0)),
            0
        )
    );
