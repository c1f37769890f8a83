-- block_shares: one row per table: bytes of its part of the blocks it lies in, each block cut evenly.
WITH segment AS (
    SELECT *, count(*) OVER (PARTITION BY block_id) AS sharing FROM stored_segment
)
SELECT table_name, sum($block_size / sharing) AS bytes
FROM segment
GROUP BY table_name;
