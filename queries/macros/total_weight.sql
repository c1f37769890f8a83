-- total_weight: what errors cost together; rounded to nine decimals, because threads add in no fixed order.
CREATE OR REPLACE MACRO total_weight(weight) AS round(sum(weight), 9);
