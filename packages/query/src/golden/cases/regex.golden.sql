-- /sea[^t-z]+(le|.)/
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND match(words, '(?i) (?:sea(?:[^\\x{0}-\\x{20}\\x{74}-\\x{7A}])+(?:(?:le)|[^\\x{0}-\\x{20}])) ') ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND match(words, '(?i) (?:sea(?:[^\\x{0}-\\x{20}\\x{74}-\\x{7A}])+(?:(?:le)|[^\\x{0}-\\x{20}])) ');
