-- active:t*
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND match(words, '\x013\x02 (?:[^\x01]* )?t[^\\x{0}-\\x{20}]* ') ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND match(words, '\x013\x02 (?:[^\x01]* )?t[^\\x{0}-\\x{20}]* ');
