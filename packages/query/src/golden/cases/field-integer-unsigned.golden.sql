-- age:18446744073709551615
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND ifNull(doc.`age`.:UInt64 = 18446744073709551615, 0) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND ifNull(doc.`age`.:UInt64 = 18446744073709551615, 0);
