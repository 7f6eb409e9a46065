-- SELECT id FROM people WHERE NULL
SELECT '', concat('{"id":', ifNull(toString(x3), 'null'), '}') FROM (SELECT x2 AS x3, x4 AS x5 FROM (SELECT doc.`id`.:Int64 AS x2, record_id AS x4 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1 WHERE CAST(NULL AS Nullable(Bool)) ORDER BY x5 LIMIT 11);
SELECT count() FROM (SELECT x2 AS x3 FROM (SELECT doc.`id`.:Int64 AS x2, record_id AS x4 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1 WHERE CAST(NULL AS Nullable(Bool)));
