-- rating_possible: whether a rating, or a mean of ratings, can be one on a criterion.
-- Minus the weights of marked errors on criteria whose names begin with mqm, at most 0; 0 to 100 on all others.
CREATE OR REPLACE MACRO rating_possible(criterion, rating) AS
    isfinite(rating)
    AND if(starts_with(criterion, 'mqm'), rating <= 0, rating BETWEEN 0 AND 100);
