-- SELECT id FROM people WHERE name LIKE 'A%_b\%'
SELECT '', concat('{"id":', ifNull(toString(x4), 'null'), '}') FROM (SELECT x3 AS x4, x5 AS x6 FROM (SELECT doc.`name`.:String AS x2, doc.`id`.:Int64 AS x3, record_id AS x5 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1 WHERE like(x2, 'A%_b\\%') ORDER BY x6 LIMIT 11);
SELECT count() FROM (SELECT x3 AS x4 FROM (SELECT doc.`name`.:String AS x2, doc.`id`.:Int64 AS x3, record_id AS x5 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1 WHERE like(x2, 'A%_b\\%'));
