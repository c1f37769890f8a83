-- external_metrics: one row per external metric by which something is scored, in the order of names.
SELECT metric, label, description, version, better, unit, lowest, highest
FROM external_metric
SEMI JOIN scoring USING (metric)
ORDER BY metric;
