-- codes:ab
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE label_id IN (0,2) AND (hasAllTokens(words, ['ab']) AND match(words, '\x0114\x02 (?:[^\x01]* )?ab ')) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE label_id IN (0,2) AND (hasAllTokens(words, ['ab']) AND match(words, '\x0114\x02 (?:[^\x01]* )?ab '));
