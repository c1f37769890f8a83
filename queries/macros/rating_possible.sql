-- rating_possible: whether a rating, or a mean of ratings, can be one on a criterion.
-- On criteria whose names begin with mqm it is minus the weights of marked errors, or 100 less what they cost, as some
-- files publish it: at most 100. On all others it is 0 to 100.
CREATE OR REPLACE MACRO rating_possible(criterion, rating) AS
    isfinite(rating)
    AND CASE WHEN starts_with(criterion, 'mqm') THEN rating <= 100 ELSE rating BETWEEN 0 AND 100 END;
