EXCHANGE TABLES `redoubt`.`ds_0198a5b2_0000_7000_8000_000000000001__local` AND `redoubt`.`ds_0198a5b2_0000_7000_8000_000000000001__local__cleared` ON CLUSTER shared_nothing;
