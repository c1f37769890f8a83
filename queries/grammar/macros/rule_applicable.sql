-- rule_applicable: dependencies that a rule of grammar applies to, counted as a signature's parameters say.
-- All its dependencies (links), or only those that bear the feature (bearing): Pratapa et al. 2021, section 2.
CREATE OR REPLACE MACRO rule_applicable(parameters, links, bearing) AS
    CASE WHEN parameters ->> '$.applicable' = 'links' THEN links ELSE bearing END;
