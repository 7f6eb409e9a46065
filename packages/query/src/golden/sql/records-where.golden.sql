-- SELECT * FROM people WHERE age > 30
SELECT x3, x7 FROM (SELECT *, x3 AS x4 FROM (SELECT doc.`age`.:Int64 AS x2, record_id AS x3, label_id AS x5, ingested_at AS x6, raw AS x7 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1 WHERE (x2 > CAST(30 AS Nullable(Int64))) ORDER BY x4 LIMIT 11);
SELECT count() FROM (SELECT * FROM (SELECT doc.`age`.:Int64 AS x2, record_id AS x3, label_id AS x5, ingested_at AS x6, raw AS x7 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1 WHERE (x2 > CAST(30 AS Nullable(Int64))));
