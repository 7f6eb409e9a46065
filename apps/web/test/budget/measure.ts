import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from 'playwright-core';

/** The JavaScript that a page without lazy parts loads, in bytes after brotli: the entry and what it imports at once. */
export const firstLoadBytes = (build: string): number => {
  const html = readFileSync(join(build, 'index.html'), 'utf8');
  const names = [...html.matchAll(/(?:src|href)="\/app\/(assets\/[^"]+\.js)"/g)].map(([, name = '']) => name);
  if (names.length === 0) throw new Error(`index.html names no script: ${readdirSync(build).join(', ')}`);
  return names.reduce((sum, name) => sum + brotliCompressSync(readFileSync(join(build, name))).length, 0);
};

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

/**
 * Milliseconds of each frame while the grid is scrolled by a step in every frame. The rows of a step are drawn within its
 * frame, so a frame that takes longer is a step whose rows came late.
 */
export const scrollSteps = (page: Page, steps: number, pixels: number): Promise<number[]> =>
  page.evaluate(
    ({ count, by }) =>
      new Promise<number[]>((resolve, reject) => {
        const grid = document.querySelector('[role=grid]');
        if (grid === null) {
          reject(new Error('There is no grid.'));
          return;
        }
        const times: number[] = [];
        let last: number | undefined;
        const step = (now: number): void => {
          if (last !== undefined) times.push(now - last);
          last = now;
          if (times.length === count) {
            resolve(times);
            return;
          }
          grid.scrollTop += by;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    { count: steps, by: pixels },
  );

/** Runs work and returns the milliseconds that the page's thread was busy with it, without waiting for a processor. */
export const busyMilliseconds = async (page: Page, work: () => Promise<unknown>): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taskSeconds = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await taskSeconds();
  await work();
  const after = await taskSeconds();
  await session.detach();
  return (after - before) * 1000;
};

/** Bytes of JavaScript objects after a collection. */
export const heapBytes = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
};

/** Notes layout shifts from the beginning of each page; read their sum with `layoutShift`. */
export const watchLayout = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { redoubtShifts: shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        shifts.sum += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });

export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { redoubtShifts: { sum: number } }).redoubtShifts.sum);
