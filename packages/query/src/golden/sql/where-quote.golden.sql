-- SELECT id FROM people WHERE name = 'it''s \ `x`'
SELECT '', concat('{"id":', ifNull(toString(x4), 'null'), '}') FROM (SELECT x3 AS x4, x5 AS x6 FROM (SELECT doc.`name`.:String AS x2, doc.`id`.:Int64 AS x3, record_id AS x5 FROM `redoubt`.`ds_1` PREWHERE label_id IN (0,2)) AS x1 WHERE (x2 = CAST('it\'s \\ \`x\`' AS Nullable(String))) ORDER BY x6 LIMIT 11);
SELECT count() FROM (SELECT x3 AS x4 FROM (SELECT doc.`name`.:String AS x2, doc.`id`.:Int64 AS x3, record_id AS x5 FROM `redoubt`.`ds_1` PREWHERE label_id IN (0,2)) AS x1 WHERE (x2 = CAST('it\'s \\ \`x\`' AS Nullable(String))));
