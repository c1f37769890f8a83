-- start_changes: How did each system change from run to run?
SELECT submission_id, previous_submission_id, created_at, bleu, bleu_change, dea, dea_change
FROM submission_history
ORDER BY system_id, treebank_id, iteration;
