/** What the main thread asks of the worker that runs PGlite. Replies carry the id of their request; 0 is the start. */
export type WorkerRequest =
  | { id: number; kind: 'query'; sql: string; parameters: unknown[] }
  | { id: number; kind: 'close' };

export type WorkerReply =
  | { id: number; rows: unknown[]; affectedRows?: number }
  | { id: number; error: { message: string; code?: string; constraint?: string } };
