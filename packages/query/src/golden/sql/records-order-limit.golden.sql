-- SELECT * FROM people ORDER BY name DESC LIMIT 5 OFFSET 2
SELECT x4, x8 FROM (SELECT *, x2 AS x3, x4 AS x5 FROM (SELECT doc.`name`.:String AS x2, record_id AS x4, label_id AS x6, ingested_at AS x7, raw AS x8 FROM `redoubt`.`ds_1` PREWHERE label_id IN (0,2)) AS x1 ORDER BY x3 DESC NULLS FIRST, x5 LIMIT 5 OFFSET 2);
SELECT count() FROM (SELECT *, x2 AS x3, x4 AS x5 FROM (SELECT doc.`name`.:String AS x2, record_id AS x4, label_id AS x6, ingested_at AS x7, raw AS x8 FROM `redoubt`.`ds_1` PREWHERE label_id IN (0,2)) AS x1 ORDER BY x3 DESC NULLS FIRST, x5 LIMIT 5 OFFSET 2);
