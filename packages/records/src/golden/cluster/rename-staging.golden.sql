RENAME TABLE `redoubt`.`ds_0198a5b2_0000_7000_8000_000000000001__checking` TO `redoubt`.`ds_0198a5b2_0000_7000_8000_000000000001__staged` ON CLUSTER shared_nothing;
