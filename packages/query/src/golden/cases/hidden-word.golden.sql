-- seattle
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND (hasAllTokens(words, ['seattle']) AND match(words, '\x01(?:0|1|2|3|4|5|8|10|11|12|13|14|15)[\x02\x03] (?:[^\x01]* )?seattle ')) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND (hasAllTokens(words, ['seattle']) AND match(words, '\x01(?:0|1|2|3|4|5|8|10|11|12|13|14|15)[\x02\x03] (?:[^\x01]* )?seattle '));
