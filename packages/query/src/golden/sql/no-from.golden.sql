-- SELECT 1 + 1 AS two
SELECT '', concat('{"two":', ifNull(toString(x1), 'null'), '}') FROM (SELECT CAST(accurateCastOrNull(CAST(1 AS Nullable(Int64)) + CAST(1 AS Nullable(Int64)), 'Int32') AS Nullable(Int64)) AS x1 LIMIT 11);
SELECT count() FROM (SELECT CAST(accurateCastOrNull(CAST(1 AS Nullable(Int64)) + CAST(1 AS Nullable(Int64)), 'Int32') AS Nullable(Int64)) AS x1);
