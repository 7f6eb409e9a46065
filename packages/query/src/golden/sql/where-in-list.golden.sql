-- SELECT id FROM people WHERE age IN (1, 2, NULL)
SELECT '', concat('{"id":', ifNull(toString(x4), 'null'), '}') FROM (SELECT x3 AS x4, x5 AS x6 FROM (SELECT doc.`age`.:Int64 AS x2, doc.`id`.:Int64 AS x3, record_id AS x5 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1 WHERE if((x2 IN (1, 2)), true, NULL) ORDER BY x6 LIMIT 11);
SELECT count() FROM (SELECT x3 AS x4 FROM (SELECT doc.`age`.:Int64 AS x2, doc.`id`.:Int64 AS x3, record_id AS x5 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1 WHERE if((x2 IN (1, 2)), true, NULL));
