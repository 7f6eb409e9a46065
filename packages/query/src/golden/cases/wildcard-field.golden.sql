-- name:j?hn*
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND (match(words, '\x010\x02 (?:[^\x01]* )?j[^\\x{0}-\\x{20}]hn[^\\x{0}-\\x{20}]* ') OR ifNull(match(doc.`name`.:String, '(?i)\\A(?:j[\\x{0}-\\x{10FFFF}]hn[\\x{0}-\\x{10FFFF}]*)\\z'), 0)) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND (match(words, '\x010\x02 (?:[^\x01]* )?j[^\\x{0}-\\x{20}]hn[^\\x{0}-\\x{20}]* ') OR ifNull(match(doc.`name`.:String, '(?i)\\A(?:j[\\x{0}-\\x{10FFFF}]hn[\\x{0}-\\x{10FFFF}]*)\\z'), 0));
