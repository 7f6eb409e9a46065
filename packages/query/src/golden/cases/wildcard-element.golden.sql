-- tags:t*
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE label_id IN (0,2) AND (match(words, '\x015[\x02\x03] (?:[^\x01]* )?t[^\\x{0}-\\x{20}]* ') OR arrayExists((c, t) -> c BETWEEN 160 AND 166 AND match(t, '(?i)\\A(?:t[\\x{0}-\\x{10FFFF}]*)\\z'), loose_path, loose_text)) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE label_id IN (0,2) AND (match(words, '\x015[\x02\x03] (?:[^\x01]* )?t[^\\x{0}-\\x{20}]* ') OR arrayExists((c, t) -> c BETWEEN 160 AND 166 AND match(t, '(?i)\\A(?:t[\\x{0}-\\x{10FFFF}]*)\\z'), loose_path, loose_text));
