-- address.zip:98101
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND (ifNull(doc.`address`.`zip`.:Int64 = 98101, 0) OR ((hasAllTokens(words, ['98101']) AND position(words, ' 98101 ') > 0) AND match(words, '\x017\x02 (?:[^\x01]* )?98101 '))) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND (ifNull(doc.`address`.`zip`.:Int64 = 98101, 0) OR ((hasAllTokens(words, ['98101']) AND position(words, ' 98101 ') > 0) AND match(words, '\x017\x02 (?:[^\x01]* )?98101 ')));
