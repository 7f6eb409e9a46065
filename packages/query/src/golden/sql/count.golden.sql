-- SELECT count(*) FROM people
SELECT '', concat('{"count":', ifNull(toString(x2), 'null'), '}') FROM (SELECT CAST(count() AS Nullable(Int64)) AS x2 FROM (SELECT 1 AS x3 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1 LIMIT 11);
SELECT count() FROM (SELECT CAST(count() AS Nullable(Int64)) AS x2 FROM (SELECT 1 AS x3 FROM `redoubt`.`ds_1` PREWHERE toUInt16(least(label_id, 65535)) IN (0,2)) AS x1);
