-- shared_items: how many items two lists share, of which neither has one twice.
-- list_intersect looks through one list for each item of the other.
CREATE OR REPLACE MACRO shared_items(items, others) AS
    len(items) + len(others) - list_unique(list_concat(items, others));
