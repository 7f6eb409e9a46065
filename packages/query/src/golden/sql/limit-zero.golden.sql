-- SELECT name FROM people LIMIT 0
SELECT '', concat('{"name":', ifNull(replaceAll(toJSONString(x3), '\\/', '/'), 'null'), '}') FROM (SELECT x2 AS x3, x4 AS x5 FROM (SELECT doc.`name`.:String AS x2, record_id AS x4 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1 ORDER BY x5 LIMIT 0);
SELECT count() FROM (SELECT x2 AS x3, x4 AS x5 FROM (SELECT doc.`name`.:String AS x2, record_id AS x4 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1 ORDER BY x5 LIMIT 0);
