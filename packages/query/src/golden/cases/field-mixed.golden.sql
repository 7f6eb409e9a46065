-- mixed:1e400
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE label_id IN (0,2) AND (arrayExists((c, t, n) -> (c = 258 AND t = '1e400') OR (c = 260 AND t = '1e400'), loose_path, loose_text, loose_num) OR (hasAllTokens(words, ['1e400']) AND match(words, '\x018\x02 (?:[^\x01]* )?1e400 '))) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE label_id IN (0,2) AND (arrayExists((c, t, n) -> (c = 258 AND t = '1e400') OR (c = 260 AND t = '1e400'), loose_path, loose_text, loose_num) OR (hasAllTokens(words, ['1e400']) AND match(words, '\x018\x02 (?:[^\x01]* )?1e400 ')));
