/** One block for one insert, whatever its size: half a batch can then never be stored. */
export const singleBlockSettings = {
  max_insert_block_size: 1_000_000_000,
  min_insert_block_size_rows: 1_000_000_000,
  min_insert_block_size_bytes: 100_000_000_000,
  max_insert_block_size_bytes: 100_000_000_000,
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
};
