-- note:[2023-01-01 TO *]
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND ((ifNull(doc.`note`.:String >= '2023-01-01', 0) AND NOT hasAny(fields, [310, 294])) OR arrayExists((p, u) -> p = 9 AND u >= 1672531200000000, time_path, time_us)) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND ((ifNull(doc.`note`.:String >= '2023-01-01', 0) AND NOT hasAny(fields, [310, 294])) OR arrayExists((p, u) -> p = 9 AND u >= 1672531200000000, time_path, time_us));
