-- -a NOT age:5
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND (NOT hasAllTokens(words, ['a']) AND NOT ifNull(doc.`age`.:Int64 = 5, 0)) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND (NOT hasAllTokens(words, ['a']) AND NOT ifNull(doc.`age`.:Int64 = 5, 0));
