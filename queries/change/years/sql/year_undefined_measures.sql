-- year_undefined_measures: one row per measure that is undefined on the shared sentences of every line.
SELECT year_measure.measure
FROM year_measure
SEMI JOIN year_sentence USING (line)
JOIN shared_measures AS shared USING (submission_id, measure)
WHERE line_is_shared AND year_measure.score IS NOT NULL
GROUP BY year_measure.measure
HAVING count(shared.score) = 0
ORDER BY year_measure.measure;
