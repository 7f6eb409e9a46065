-- sea*le
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND match(words, ' sea[^\\x{0}-\\x{20}]*le ') ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND match(words, ' sea[^\\x{0}-\\x{20}]*le ');
