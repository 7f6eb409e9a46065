-- code:"AB 12"
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND ((hasAllTokens(words, ['ab', '12']) AND position(words, ' 12 ') > 0) AND ifNull(match(doc.`code`.:String, '(?i)(?:\\A|[^A-Za-z0-9])ab[^A-Za-z0-9]+12(?:[^A-Za-z0-9]|\\z)'), 0)) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND ((hasAllTokens(words, ['ab', '12']) AND position(words, ' 12 ') > 0) AND ifNull(match(doc.`code`.:String, '(?i)(?:\\A|[^A-Za-z0-9])ab[^A-Za-z0-9]+12(?:[^A-Za-z0-9]|\\z)'), 0));
