-- SELECT count(*) FROM people
SELECT '', concat('{"count":', ifNull(toString(x3), 'null'), '}') FROM (SELECT x2 AS x3 FROM (SELECT CAST(count() AS Nullable(Int64)) AS x2 FROM (SELECT 1 AS x4 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1) LIMIT 11);
SELECT count() FROM (SELECT x2 AS x3 FROM (SELECT CAST(count() AS Nullable(Int64)) AS x2 FROM (SELECT 1 AS x4 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1));
