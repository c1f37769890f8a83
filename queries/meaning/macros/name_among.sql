-- name_among: a system's name, with the treebank and the campaign where the rows at hand are of several.
-- A window function over the rows at hand.
CREATE OR REPLACE MACRO name_among(system_id, treebank_id, campaign_id) AS concat_ws(
    ' ',
    system_id,
    CASE WHEN min(treebank_id) OVER () < max(treebank_id) OVER () THEN treebank_id END,
    CASE WHEN min(campaign_id) OVER () < max(campaign_id) OVER () THEN campaign_id END
);
