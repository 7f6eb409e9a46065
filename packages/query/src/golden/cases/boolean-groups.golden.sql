-- +(a b) -(c AND name:d) e
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND ((hasAllTokens(words, ['a']) OR hasAllTokens(words, ['b'])) AND NOT (hasAllTokens(words, ['c']) AND (hasAllTokens(words, ['d']) AND match(words, '\x010\x02 (?:[^\x01]* )?d ')))) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND ((hasAllTokens(words, ['a']) OR hasAllTokens(words, ['b'])) AND NOT (hasAllTokens(words, ['c']) AND (hasAllTokens(words, ['d']) AND match(words, '\x010\x02 (?:[^\x01]* )?d '))));
