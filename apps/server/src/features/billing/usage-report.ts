import type { Logger } from '../../platform/log/logger.ts';
import { dayOf } from '../../platform/metering/index.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { BilledUsageRepository } from './billed-usage.repository.ts';
import type { BillingEventService } from './billing-event.service.ts';
import type { PaymentHost } from './payment-host.ts';

export interface UsageReport {
  /** Reports the usage of each completed day once. */
  report(): Promise<void>;
  start(): void;
  /** Waits for running reports. They may also be interrupted, because repeating a report has no effect. */
  stop(): Promise<void>;
}

const reportEveryMs = 30 * 60_000;
const refreshEveryMs = 24 * 3600_000;
/** Usage from just before midnight is stored some time after it. */
const settlingMs = 3600_000;
/** Stripe rejects older reports. */
const maxAgeMs = 34 * 24 * 3600_000;
const dayMs = 24 * 3600_000;
const batchSize = 100;

export const createUsageReport = ({
  host,
  used,
  events,
  clock,
  logger,
}: {
  host: PaymentHost | undefined;
  used: Pick<BilledUsageRepository, 'markReported' | 'unreported'>;
  events: Pick<BillingEventService, 'refreshAll'>;
  clock: Clock;
  logger: Pick<Logger, 'error'>;
}): UsageReport => {
  const timers: NodeJS.Timeout[] = [];
  const running = new Set<Promise<void>>();

  const report = async (): Promise<void> => {
    if (host === undefined) return;
    const now = clock.now();
    const from = dayOf(new Date(now.getTime() - maxAgeMs));
    const to = dayOf(new Date(now.getTime() - dayMs - settlingMs));
    for (;;) {
      const unreported = await used.unreported(from, to, batchSize);
      if (unreported.length === 0) return;
      for (const { customerId, ...usage } of unreported) {
        if (usage.units > 0) await host.report(customerId, usage);
        await used.markReported(usage, now);
      }
    }
  };

  const every = (milliseconds: number, message: string, work: () => Promise<void>): void => {
    const run = (): void => {
      const done = work()
        .catch((error: unknown) => logger.error({ err: error }, message))
        .finally(() => running.delete(done));
      running.add(done);
    };
    timers.push(setInterval(run, milliseconds).unref());
  };

  return {
    report,
    start: () => {
      if (host === undefined) return;
      every(reportEveryMs, 'could not report the usage of workspaces', report);
      every(refreshEveryMs, 'could not fetch subscriptions from the payment host', events.refreshAll);
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
};
