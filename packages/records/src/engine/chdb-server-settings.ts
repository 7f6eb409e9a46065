/**
 * The caches that our statements fill, with the part of the memory that each may take at most. By themselves they may grow
 * to 5 GB and 1 GB each, whatever the engine may take in all.
 */
const cacheParts = {
  mark_cache_size: 1 / 16,
  index_mark_cache_size: 1 / 32,
  primary_index_cache_size: 1 / 32,
  text_index_tokens_cache_size: 1 / 64,
  text_index_header_cache_size: 1 / 64,
  text_index_postings_cache_size: 1 / 64,
  query_condition_cache_size: 1 / 64,
} as const;

/** What the engine is told when its folder is opened: one budget for all statements, merges and caches together. */
export function serverArguments(memoryLimitBytes: number): string[] {
  const settings = {
    max_server_memory_usage: memoryLimitBytes,
    // Merges that would take more wait, so that statements have the other half.
    merges_mutations_memory_usage_soft_limit: memoryLimitBytes / 2,
    // Otherwise the engine counts what the whole container uses, and lowers the limit by what others take.
    memory_worker_use_cgroup: 0,
    memory_worker_dynamic_hard_limit: 0,
    ...Object.fromEntries(Object.entries(cacheParts).map(([name, part]) => [name, memoryLimitBytes * part])),
  };
  return Object.entries(settings).map(([name, value]) => `--${name}=${String(Math.floor(value))}`);
}
