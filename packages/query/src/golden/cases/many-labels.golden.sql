-- seattle
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE bitTest(ascii(substring(base64Decode('VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVAQ=='), intDiv(label_id, 8) + 1, 1)), label_id % 8) AND hasAllTokens(words, ['seattle']) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE bitTest(ascii(substring(base64Decode('VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVAQ=='), intDiv(label_id, 8) + 1, 1)), label_id % 8) AND hasAllTokens(words, ['seattle']);
