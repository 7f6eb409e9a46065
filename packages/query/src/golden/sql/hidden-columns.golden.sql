-- SELECT id, pay.grade FROM staff ORDER BY id
SELECT '', concat('{"id":', ifNull(toString(x4), 'null'), ',"grade":', ifNull(toString(x5), 'null'), '}') FROM (SELECT x2 AS x4, x3 AS x5, x6 AS x7 FROM (SELECT doc.`id`.:Int64 AS x2, doc.`pay`.`grade`.:Int64 AS x3, record_id AS x6 FROM `redoubt`.`ds_3` PREWHERE label_id IN (1)) AS x1 ORDER BY x4 ASC NULLS LAST, x7 LIMIT 11);
SELECT count() FROM (SELECT x2 AS x4, x3 AS x5 FROM (SELECT doc.`id`.:Int64 AS x2, doc.`pay`.`grade`.:Int64 AS x3, record_id AS x6 FROM `redoubt`.`ds_3` PREWHERE label_id IN (1)) AS x1);
