-- score:3.1*
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE label_id IN (0,2) AND ((hasAllTokens(words, ['3']) AND match(words, '\x012\x03 (?:[^\x01]* )?3 1[^\\x{0}-\\x{20}]* ')) OR ifNull(match(toString(doc.`score`.:Float64), '(?i)\\A(?:3\\.1[\\x{0}-\\x{10FFFF}]*)\\z'), 0)) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE label_id IN (0,2) AND ((hasAllTokens(words, ['3']) AND match(words, '\x012\x03 (?:[^\x01]* )?3 1[^\\x{0}-\\x{20}]* ')) OR ifNull(match(toString(doc.`score`.:Float64), '(?i)\\A(?:3\\.1[\\x{0}-\\x{10FFFF}]*)\\z'), 0));
