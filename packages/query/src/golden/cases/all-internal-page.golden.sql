-- *
SELECT record_id, label_id, toUnixTimestamp64Milli(ingested_at), raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) ORDER BY record_id LIMIT 100 OFFSET 20;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2);
