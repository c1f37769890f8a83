-- register_system: make a system known, or add what is said of it.
MERGE INTO system USING (SELECT $id::VARCHAR AS system_id) USING (system_id)
WHEN MATCHED THEN UPDATE SET
    team = coalesce($team, system.team),
    kind = coalesce($kind, system.kind),
    description = coalesce($text, system.description),
    family = coalesce($family, system.family)
WHEN NOT MATCHED THEN INSERT VALUES ($id, $team, coalesce($kind, 'team'), $text, $family);
