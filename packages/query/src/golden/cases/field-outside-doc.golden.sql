-- size\[\]:x
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND (hasAllTokens(words, ['x']) AND match(words, '\x0110\x02 (?:[^\x01]* )?x ')) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND (hasAllTokens(words, ['x']) AND match(words, '\x0110\x02 (?:[^\x01]* )?x '));
