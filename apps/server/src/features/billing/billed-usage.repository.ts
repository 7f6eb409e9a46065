import { usageUnits } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { keepsCacheMark } from '../../platform/db/access-cache.ts';
import type { UsageMeter } from '../../platform/db/schema.ts';

/** The billed usage of one meter on one day. */
export interface MeteredUsage {
  workspaceUid: string;
  day: string;
  meter: Exclude<UsageMeter, 'base'>;
  /** Minutes for compute, gigabytes for storage and network. */
  units: number;
}

const computeUnitMs = usageUnits.compute * 1000;

/**
 * SQL for the usage in whole units. Compute and network are rounded down over the sum of all days, so that a remainder
 * counts on a later day. Storage is rounded down on each day.
 */
const units = sql<number>`case meter
  when 'compute' then floor(total / ${computeUnitMs}::double precision) - floor((total - amount) / ${computeUnitMs}::double precision)
  when 'network' then floor(total / ${usageUnits.network}::double precision) - floor((total - amount) / ${usageUnits.network}::double precision)
  when 'storage' then floor(amount / ${usageUnits.storage}::double precision)
  else amount end`;

const runningTotals = sql`select workspace_uid, day, meter, amount, reported_at,
  sum(amount) over (partition by workspace_uid, meter order by day) as total from usage_days`;

export const createBilledUsageRepository = (db: Db) => ({
  /** Returns the usage of the days between `from` and `to`, both included. */
  ofWorkspace: async (
    workspaceUid: string,
    from: string,
    to: string,
  ): Promise<{ day: string; meter: UsageMeter; units: number }[]> => {
    const { rows } = await sql<{ day: string; meter: UsageMeter; units: number }>`
      select day, meter, ${units} as units
      from (${runningTotals} where workspace_uid = ${workspaceUid}) as totals
      where day between ${from} and ${to} order by day, meter`.execute(db);
    return rows;
  },

  /** Returns the oldest unreported usage of these days, for workspaces with a running subscription. */
  unreported: async (
    from: string,
    to: string,
    limit: number,
  ): Promise<(MeteredUsage & { customerId: string })[]> => {
    const { rows } = await sql<MeteredUsage & { customerId: string }>`
      select totals.workspace_uid as "workspaceUid", day, meter, ${units} as units, customer_id as "customerId"
      from (${runningTotals}) as totals
      join billing_accounts on billing_accounts.workspace_uid = totals.workspace_uid
      where reported_at is null and meter <> 'base' and day between ${from} and ${to}
        and day >= to_char(billing_accounts.created_at at time zone 'UTC', 'YYYY-MM-DD')
        and status in ('trialing', 'active', 'past_due', 'unpaid')
      order by day, totals.workspace_uid, meter limit ${limit}`.execute(db);
    return rows;
  },

  markReported: async (
    { workspaceUid, day, meter }: Pick<MeteredUsage, 'day' | 'meter' | 'workspaceUid'>,
    now: Date,
  ): Promise<void> => {
    await sql`${keepsCacheMark} update usage_days set reported_at = ${now}
      where workspace_uid = ${workspaceUid} and day = ${day} and meter = ${meter}`.execute(db);
  },
});

export type BilledUsageRepository = ReturnType<typeof createBilledUsageRepository>;
