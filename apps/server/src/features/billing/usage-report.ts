import type { Logger } from '../../platform/log/logger.ts';
import { dayOf } from '../../platform/metering/index.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { BilledUsageRepository } from './billed-usage.repository.ts';
import type { BillingEventService } from './billing-event.service.ts';
import type { PaymentHost } from './payment-host.ts';

export interface UsageReport {
  /** Reports each day that has ended, once. */
  report(): Promise<void>;
  start(): void;
  /** Waits for what is being reported; the same report twice counts once, so it may as well be broken off. */
  stop(): Promise<void>;
}

const reportEveryMs = 30 * 60_000;
const lookEveryMs = 24 * 3600_000;
/** What was used just before midnight is stored a little after it. */
const settledMs = 3600_000;
/** Older reports are refused. */
const oldestMs = 34 * 24 * 3600_000;
const dayMs = 24 * 3600_000;
const batch = 100;

export const createUsageReport = ({
  host,
  used,
  events,
  clock,
  logger,
}: {
  host: PaymentHost | undefined;
  used: Pick<BilledUsageRepository, 'markReported' | 'unreported'>;
  events: Pick<BillingEventService, 'lookAtAll'>;
  clock: Clock;
  logger: Pick<Logger, 'error'>;
}): UsageReport => {
  const timers: NodeJS.Timeout[] = [];
  const running = new Set<Promise<void>>();

  const report = async (): Promise<void> => {
    if (host === undefined) return;
    const now = clock.now();
    const from = dayOf(new Date(now.getTime() - oldestMs));
    const to = dayOf(new Date(now.getTime() - dayMs - settledMs));
    for (;;) {
      const waiting = await used.unreported(from, to, batch);
      if (waiting.length === 0) return;
      for (const { customerId, ...usage } of waiting) {
        if (usage.units > 0) await host.report(customerId, usage);
        await used.markReported(usage, now);
      }
    }
  };

  const every = (milliseconds: number, fault: string, work: () => Promise<void>): void => {
    const run = (): void => {
      const done = work()
        .catch((error: unknown) => logger.error({ err: error }, fault))
        .finally(() => running.delete(done));
      running.add(done);
    };
    timers.push(setInterval(run, milliseconds).unref());
  };

  return {
    report,
    start: () => {
      if (host === undefined) return;
      every(reportEveryMs, 'what workspaces have used could not be reported', report);
      every(lookEveryMs, 'the payment host could not be asked about subscriptions', events.lookAtAll);
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
};
