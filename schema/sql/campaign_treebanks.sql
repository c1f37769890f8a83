-- campaign_treebanks: one row per treebank that outputs of a campaign may be for: no training splits.
SELECT treebank_id
FROM treebank
JOIN campaign_treebank USING (treebank_id)
WHERE campaign_id = $campaign AND split IS DISTINCT FROM 'train'
UNION
SELECT treebank_id FROM submission WHERE campaign_id = $campaign;
