-- "a bb ccc dddd eeeee ffffff ggggggg hhhhhhhh iiiiiiiii"
SELECT record_id, raw FROM `redoubt`.`ds_1` WHERE label_id IN (0,2) AND (hasAllTokens(words, ['iiiiiiiii', 'hhhhhhhh', 'ggggggg', 'ffffff', 'eeeee', 'dddd', 'ccc', 'bb']) AND position(words, ' a bb ccc dddd eeeee ffffff ggggggg hhhhhhhh iiiiiiiii ') > 0) ORDER BY record_id LIMIT 10;
SELECT count() FROM `redoubt`.`ds_1` WHERE label_id IN (0,2) AND (hasAllTokens(words, ['iiiiiiiii', 'hhhhhhhh', 'ggggggg', 'ffffff', 'eeeee', 'dddd', 'ccc', 'bb']) AND position(words, ' a bb ccc dddd eeeee ffffff ggggggg hhhhhhhh iiiiiiiii ') > 0);
