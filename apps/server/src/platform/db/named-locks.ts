import { Pool } from 'pg';

/** Locks that processes on one PostgreSQL server share. A process that dies lets go of its locks. */
export interface NamedLocks {
  /** Runs work while no other process, and nobody else in this one, does so under the same name. */
  alone<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Each lock holds a connection for as long as its work takes, so these are not those that requests share. */
const connections = 4;

export const createNamedLocks = (url: string): NamedLocks => {
  const pool = new Pool({ connectionString: url, max: connections });
  // A connection that breaks while idle is replaced at the next use; unheard, the event would end the process.
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
