import {
  maxUsageDays,
  usageUnits,
  type QueryOf,
  type routes,
  type Usage,
  type UsageDay,
} from '@redoubt/contract';
import { describeValue, invalidField } from '@redoubt/errors';
import { requireCall } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { dayOf, type Metering } from '../../platform/metering/index.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { BilledUsageRepository } from './billed-usage.repository.ts';

type UsageQuery = QueryOf<typeof routes.getUsage>;

export interface UsageService {
  /** Returns the usage of the workspace for each day. */
  usage(actor: Member, query: UsageQuery): Promise<Usage>;
}

const dayMs = 24 * 3600_000;
const defaultDays = 30;

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** @throws RedoubtError 400 for a day that does not exist */
const parseDay = (field: string, sent: string): string => {
  const start = startOf(sent);
  if (!Number.isNaN(start) && dayOf(new Date(start)) === sent) return sent;
  throw invalidField({
    field,
    expected: 'a day of the calendar',
    got: describeValue(sent),
    advice: 'Send one such as 2026-01-31.',
  });
};

const scales = { base: 1, ...usageUnits };

export const createUsageService = ({
  used,
  metering,
  clock,
}: {
  used: Pick<BilledUsageRepository, 'ofWorkspace'>;
  metering: Pick<Metering, 'flush' | 'measure'>;
  clock: Clock;
}): UsageService => ({
  usage: async (actor, query) => {
    requireCall(actor, 'getUsage', 'see what the workspace uses');
    const to = query.to === undefined ? dayOf(clock.now()) : parseDay('to', query.to);
    const from =
      query.from === undefined
        ? dayOf(new Date(startOf(to) - (defaultDays - 1) * dayMs))
        : parseDay('from', query.from);
    const count = (startOf(to) - startOf(from)) / dayMs + 1;
    const wrongFrom = (expected: string, advice: string) =>
      invalidField({ field: 'from', expected, got: describeValue(from), advice });
    if (count < 1) throw wrongFrom(`${to} or a day before it`, 'Send the earlier day as from.');
    if (count > maxUsageDays) {
      throw wrongFrom(`less than ${maxUsageDays} days before ${to}`, 'Request a shorter time.');
    }
    const days = Array.from({ length: count }, (_, index): UsageDay => ({
      day: dayOf(new Date(startOf(from) + index * dayMs)),
      base: 0,
      compute: 0,
      storage: 0,
      network: 0,
    }));
    // Includes what this process has collected so far, and measures today's storage.
    await metering.measure();
    await metering.flush();
    const byDay = new Map(days.map((day) => [day.day, day]));
    for (const { day, meter, units } of await used.ofWorkspace(actor.workspace.uniqueId, from, to)) {
      const found = byDay.get(day);
      if (found !== undefined) found[meter] = units * scales[meter];
    }
    return { from, to, days };
  },
});
