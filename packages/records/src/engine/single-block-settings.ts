/** Makes one block of each insert of any size, so that a batch is stored completely or not at all. */
export const singleBlockSettings = {
  max_insert_block_size: 1_000_000_000,
  min_insert_block_size_rows: 1_000_000_000,
  min_insert_block_size_bytes: 100_000_000_000,
  max_insert_block_size_bytes: 100_000_000_000,
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
};
