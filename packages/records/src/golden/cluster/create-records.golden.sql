CREATE TABLE IF NOT EXISTS `redoubt`.`ds_0198a5b2_0000_7000_8000_000000000001__local` ON CLUSTER shared_nothing (
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
  source_offset UInt64 CODEC(Delta, LZ4),
  INDEX words_index words TYPE text(tokenizer = splitByString([' ']))
) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}') ORDER BY record_id
SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1, merge_selector_base = 8, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, replicated_deduplication_window = 0;
