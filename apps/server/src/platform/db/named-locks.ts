import { Pool } from 'pg';

/**
 * Locks that are shared by the processes on one PostgreSQL server. The server releases the locks of a process that
 * dies.
 */
export interface NamedLocks {
  /** Runs `work` while no other call with the same name runs, in this process or another. */
  alone<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** A lock occupies a connection as long as its work runs, so locks have a separate pool. */
const maxConnections = 4;

export const createNamedLocks = (url: string): NamedLocks => {
  const pool = new Pool({ connectionString: url, max: maxConnections });
  // A broken idle connection is replaced when it is next needed; without a listener the event would end the process.
  pool.on('error', () => undefined);
  return {
    alone: async (name, work) => {
      const client = await pool.connect();
      let broken = true;
      try {
        await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
        const result = await work();
        return result;
      } finally {
        await client
          .query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
          .then(() => (broken = false))
          .catch(() => undefined);
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
};
