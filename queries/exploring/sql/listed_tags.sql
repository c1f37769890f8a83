-- listed_tags: one row per tag of a campaign, system, treebank or submission; a note is the tag note.
SELECT name, value
FROM tag
WHERE kind = $kind AND target = $target
UNION ALL
SELECT key, value ->> '$'
FROM submission, json_each(coalesce(tags, '{}'))
WHERE $kind = 'submission' AND submission_id = $target
ORDER BY name;
