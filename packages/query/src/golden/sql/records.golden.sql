-- SELECT * FROM people
SELECT x2, x6 FROM (SELECT *, x2 AS x3 FROM (SELECT record_id AS x2, label_id AS x4, ingested_at AS x5, raw AS x6 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1 ORDER BY x3 LIMIT 11);
SELECT count() FROM (SELECT * FROM (SELECT record_id AS x2, label_id AS x4, ingested_at AS x5, raw AS x6 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1);
