-- 192.168.*
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND ((hasAllTokens(words, ['192', '168']) AND position(words, ' 192 ') > 0 AND position(words, ' 168 ') > 0) AND match(words, ' 192 168 [^\\x{0}-\\x{20}]* ')) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE toUInt16(least(label_id, 65535)) IN (0,2) AND ((hasAllTokens(words, ['192', '168']) AND position(words, ' 192 ') > 0 AND position(words, ' 168 ') > 0) AND match(words, ' 192 168 [^\\x{0}-\\x{20}]* '));
