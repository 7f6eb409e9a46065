-- SELECT name, age FROM people
SELECT '', concat('{"name":', ifNull(replaceAll(toJSONString(x4), '\\/', '/'), 'null'), ',"age":', ifNull(toString(x5), 'null'), '}') FROM (SELECT x2 AS x4, x3 AS x5, x6 AS x7 FROM (SELECT doc.`name`.:String AS x2, doc.`age`.:Int64 AS x3, record_id AS x6 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1 ORDER BY x7 LIMIT 11);
SELECT count() FROM (SELECT x2 AS x4, x3 AS x5 FROM (SELECT doc.`name`.:String AS x2, doc.`age`.:Int64 AS x3, record_id AS x6 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1);
