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

/** Milliseconds of each step of scrolling, from the step to the frame after its rows were drawn. */
export const scrollSteps = (page: Page, steps: number, pixels: number): Promise<number[]> =>
  page.evaluate(
    async ({ count, by }) => {
      const grid = document.querySelector('[role=grid]');
      if (grid === null) throw new Error('There is no grid.');
      const times: number[] = [];
      for (let step = 0; step < count; step++) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const start = performance.now();
        grid.scrollTop += by;
        // The first frame draws the rows, and the second begins when they are on the screen.
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        times.push(performance.now() - start);
      }
      return times;
    },
    { count: steps, by: pixels },
  );

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
