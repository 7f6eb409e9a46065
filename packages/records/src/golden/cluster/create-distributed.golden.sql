CREATE TABLE IF NOT EXISTS `redoubt`.`ds_0198a5b2_0000_7000_8000_000000000001` ON CLUSTER shared_nothing (
  record_id String,
  label_id UInt32 CODEC(T64, LZ4),
  ingested_at DateTime64(3, 'UTC'),
  raw String CODEC(ZSTD(1)),
  doc JSON,
  fields Array(UInt32),
  words String,
  loose_path Array(UInt32),
  loose_text Array(String),
  loose_num Array(Nullable(Float64)),
  time_path Array(UInt32),
  time_us Array(Int64),
  source_file LowCardinality(String),
  source_batch UInt64 CODEC(Delta, LZ4),
  source_row UInt64 CODEC(Delta, LZ4),
  source_line UInt64 CODEC(Delta, LZ4),
  source_offset UInt64 CODEC(Delta, LZ4)
) ENGINE = Distributed('shared_nothing', 'redoubt', 'ds_0198a5b2_0000_7000_8000_000000000001__local');
