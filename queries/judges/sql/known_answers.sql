-- known_answers: one row per request that a judge answered with a score, of those at hand.
SELECT request_sha256, score
FROM judge_answer
WHERE score IS NOT NULL AND list_contains($requests, request_sha256);
