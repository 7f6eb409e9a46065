-- seattle
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE least(label_id, 4294967295) IN (0,65540) AND hasAllTokens(words, ['seattle']) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE least(label_id, 4294967295) IN (0,65540) AND hasAllTokens(words, ['seattle']);
