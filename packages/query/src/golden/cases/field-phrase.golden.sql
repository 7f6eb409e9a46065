-- name:"John O'Neil"
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND (hasAllTokens(words, ['john', 'neil', 'o']) AND match(words, '\x010\x02 (?:[^\x01]* )?john o neil ')) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND (hasAllTokens(words, ['john', 'neil', 'o']) AND match(words, '\x010\x02 (?:[^\x01]* )?john o neil '));
