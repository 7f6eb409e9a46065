-- created:[2023 TO 2024-06]
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND arrayExists((p, u) -> p = 4 AND u >= 1672531200000000 AND u < 1719792000000000, time_path, time_us) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND arrayExists((p, u) -> p = 4 AND u >= 1672531200000000 AND u < 1719792000000000, time_path, time_us);
