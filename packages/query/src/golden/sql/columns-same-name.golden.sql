-- SELECT name, name FROM people
SELECT '', concat('{"name":', ifNull(replaceAll(toJSONString(x3), '\\/', '/'), 'null'), ',"name_2":', ifNull(replaceAll(toJSONString(x4), '\\/', '/'), 'null'), '}') FROM (SELECT x2 AS x3, x2 AS x4, x5 AS x6 FROM (SELECT doc.`name`.:String AS x2, record_id AS x5 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1 ORDER BY x6 LIMIT 11);
SELECT count() FROM (SELECT x2 AS x3, x2 AS x4 FROM (SELECT doc.`name`.:String AS x2, record_id AS x5 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1);
