ALTER TABLE grammar_rule ADD COLUMN conditions VARCHAR[];
