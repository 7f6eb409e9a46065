import { sql } from 'kysely';
import { createHmac } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { keepsCacheMark } from '../db/access-cache.ts';

/** How the waiting time grows with failures. All times are in milliseconds. */
export interface BackoffRule {
  /** Number of failures without a waiting time. */
  free: number;
  /** Waiting time after the first failure beyond `free`; each further failure doubles it. */
  firstMs: number;
  maxMs: number;
  /** Time after which one failure is forgotten. */
  forgetOneMs: number;
}

export type FailureKind = 'account' | 'pair' | 'source';
/** The keys under which an attempt is counted. */
export type FailureKeys = Readonly<Record<FailureKind, string>>;

/** Counts failed sign-ins in the metadata database, so that all processes share the counts and a restart keeps them. */
export interface FailureCounts {
  /** The remaining waiting time of each key, in milliseconds; absent for keys without failures. */
  waits(keys: FailureKeys, now: number): Promise<Partial<Record<FailureKind, number>>>;
  add(keys: FailureKeys, now: number): Promise<void>;
  forget(kind: FailureKind, key: string): Promise<void>;
}

const kinds = ['account', 'pair', 'source'] as const satisfies readonly FailureKind[];
/** Maximum number of expired rows that one call of `add` removes. */
const removedAtOnce = 100;

const waitOf = ({ free, firstMs, maxMs }: BackoffRule, failures: number, sinceLastMs: number): number => {
  if (failures < free) return 0;
  const cost = Math.min(maxMs, firstMs * 2 ** Math.min(40, failures - free));
  return Math.max(0, cost - Math.max(0, sinceLastMs));
};

/**
 * @param secret keys the hashes under which names and addresses are stored: people sometimes type a password as the
 * name
 */
export const createFailureCounts = (
  db: Db,
  rules: Readonly<Record<FailureKind, BackoffRule>>,
  secret: Uint8Array,
): FailureCounts => {
  const keyOf = (kind: FailureKind, key: string): string =>
    createHmac('sha256', secret).update(`sign-in failures ${kind} ${key}`).digest('base64url');
  /**
   * Number of failures that are forgotten by now. `over_ms - since_ms` of the row to be inserted is the time after
   * which one failure is forgotten.
   */
  const gone = sql`greatest(0, floor((excluded.since_ms - sign_in_failures.since_ms) / (excluded.over_ms - excluded.since_ms)))`;
  const isOver = sql`${gone} >= sign_in_failures.failures`;
  const failures = sql`case when ${isOver} then 1 else sign_in_failures.failures - ${gone} + 1 end`;
  const since = sql`case when ${isOver} then excluded.since_ms
    else sign_in_failures.since_ms + ${gone} * (excluded.over_ms - excluded.since_ms) end`;
  return {
    waits: async (keys, now) => {
      const rows = await db
        .selectFrom('sign_in_failures')
        .where((row) =>
          row.or(
            kinds.map((kind) => row.and([row('kind', '=', kind), row('key', '=', keyOf(kind, keys[kind]))])),
          ),
        )
        .select(['kind', 'failures', 'last_ms as lastMs'])
        .execute();
      return Object.fromEntries(
        rows.map(({ kind, failures: count, lastMs }) => [kind, waitOf(rules[kind], count, now - lastMs)]),
      );
    },
    add: async (keys, now) => {
      await sql`${keepsCacheMark} delete from sign_in_failures where (kind, key) in (
        select kind, key from sign_in_failures where over_ms < ${now} limit ${removedAtOnce} for update skip locked)`.execute(
        db,
      );
      // Always lock the rows in the same order, so that concurrent failures cannot deadlock.
      const rows = kinds.map(
        (kind) =>
          sql`(${kind}::text, ${keyOf(kind, keys[kind])}::text, 1, ${now}::double precision, ${now}::double precision,
            ${now + rules[kind].forgetOneMs}::double precision)`,
      );
      await sql`${keepsCacheMark} insert into sign_in_failures (kind, key, failures, last_ms, since_ms, over_ms)
        values ${sql.join(rows)} on conflict (kind, key) do update set
          failures = ${failures}, last_ms = excluded.last_ms, since_ms = ${since},
          over_ms = ${since} + (${failures}) * (excluded.over_ms - excluded.since_ms)`.execute(db);
    },
    forget: async (kind, key) => {
      await sql`${keepsCacheMark} delete from sign_in_failures where kind = ${kind} and key = ${keyOf(kind, key)}`.execute(
        db,
      );
    },
  };
};
