import { usageUnits } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { keepsCacheMark } from '../../platform/db/access-cache.ts';
import type { UsageMeter } from '../../platform/db/schema.ts';

/** What is billed of a day. */
export interface MeteredUsage {
  workspaceUid: string;
  day: string;
  meter: Exclude<UsageMeter, 'base'>;
  /** Minutes of compute, gigabytes of storage and network. */
  units: number;
}

const computeUnitMs = usageUnits.compute * 1000;

/**
 * In whole units: what is used bit by bit (compute, network) is rounded down over all days together, so that what is left
 * over counts with a later day; what is stored is rounded down each day.
 */
const units = sql<number>`case meter
  when 'compute' then floor(total / ${computeUnitMs}::double precision) - floor((total - amount) / ${computeUnitMs}::double precision)
  when 'network' then floor(total / ${usageUnits.network}::double precision) - floor((total - amount) / ${usageUnits.network}::double precision)
  when 'storage' then floor(amount / ${usageUnits.storage}::double precision)
  else amount end`;

const counted = sql`select workspace_uid, day, meter, amount, reported_at,
  sum(amount) over (partition by workspace_uid, meter order by day) as total from usage_days`;

export const createBilledUsageRepository = (db: Db) => ({
  /** Days from the first to the last on which there was any use. */
  ofWorkspace: async (
    workspaceUid: string,
    from: string,
    to: string,
  ): Promise<{ day: string; meter: UsageMeter; units: number }[]> => {
    const { rows } = await sql<{ day: string; meter: UsageMeter; units: number }>`
      select day, meter, ${units} as units
      from (${counted} where workspace_uid = ${workspaceUid}) as counted
      where day between ${from} and ${to} order by day, meter`.execute(db);
    return rows;
  },

  /** What a payment host with a running subscription is to be told of, in these days; a few at a time, oldest first. */
  unreported: async (
    from: string,
    to: string,
    limit: number,
  ): Promise<(MeteredUsage & { customerId: string })[]> => {
    const { rows } = await sql<MeteredUsage & { customerId: string }>`
      select counted.workspace_uid as "workspaceUid", day, meter, ${units} as units, customer_id as "customerId"
      from (${counted}) as counted
      join billing_accounts on billing_accounts.workspace_uid = counted.workspace_uid
      where reported_at is null and meter <> 'base' and day between ${from} and ${to}
        and day >= to_char(billing_accounts.created_at at time zone 'UTC', 'YYYY-MM-DD')
        and status in ('trialing', 'active', 'past_due', 'unpaid')
      order by day, counted.workspace_uid, meter limit ${limit}`.execute(db);
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
