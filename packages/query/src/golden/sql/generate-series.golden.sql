-- SELECT n FROM generate_series(1, 10) AS g(n)
SELECT '', concat('{"n":', ifNull(toString(x3), 'null'), '}') FROM (SELECT x1 AS x3, x1 AS x4 FROM (SELECT arrayJoin(arrayMap(number -> CAST(toInt64(1 + number * 1) AS Nullable(Int64)), range(10))) AS x1) AS x2 ORDER BY x4 LIMIT 11);
SELECT count() FROM (SELECT x1 AS x3 FROM (SELECT arrayJoin(arrayMap(number -> CAST(toInt64(1 + number * 1) AS Nullable(Int64)), range(10))) AS x1) AS x2);
