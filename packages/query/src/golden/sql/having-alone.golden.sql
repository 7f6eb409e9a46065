-- SELECT 1 FROM people HAVING count(*) > 0
SELECT '', concat('{"?column?":', ifNull(toString(x2), 'null'), '}') FROM (SELECT CAST(1 AS Nullable(Int64)) AS x2 FROM (SELECT CAST(count() AS Nullable(Int64)) AS x3 FROM (SELECT 1 AS x4 FROM `redoubt`.`ds_1` PREWHERE label_id IN (0,2)) AS x1) WHERE (x3 > CAST(0 AS Nullable(Int64))) LIMIT 11);
SELECT count() FROM (SELECT CAST(1 AS Nullable(Int64)) AS x2 FROM (SELECT CAST(count() AS Nullable(Int64)) AS x3 FROM (SELECT 1 AS x4 FROM `redoubt`.`ds_1` PREWHERE label_id IN (0,2)) AS x1) WHERE (x3 > CAST(0 AS Nullable(Int64))));
