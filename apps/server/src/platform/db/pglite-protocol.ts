/**
 * A request of the main thread to the PGlite worker. Replies carry the id of their request; 0 reports that PGlite has
 * started.
 */
export type WorkerRequest =
  | { id: number; kind: 'query'; sql: string; parameters: unknown[] }
  | { id: number; kind: 'close' };

export type WorkerReply =
  | { id: number; rows: unknown[]; affectedRows?: number }
  | { id: number; error: { message: string; code?: string; constraint?: string } };
