import type { Page } from 'playwright-core';
import { openConsole, signIn } from '../console-fixture.ts';
import { fillDataset } from './fill-dataset.ts';
import {
  busyMilliseconds,
  firstLoadBytes,
  heapBytes,
  layoutShift,
  percentile,
  scrollSteps,
  watchLayout,
} from './measure.ts';

/** A figure with the limit that it should keep. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  limit: number;
}

export interface BudgetOptions {
  rows: number;
  steps: number;
  onProgress: (message: string) => void;
}

const stepPixels = 180;
/** How often the page is opened; the figure is the median. */
const opens = 5;

/** Milliseconds from the first byte of the response with the rows to the frame that shows them. */
const paintAfterRows = async (page: Page, url: string): Promise<number> => {
  await page.goto(url);
  await page.getByRole('gridcell').first().waitFor();
  return page.evaluate(async () => {
    const entries = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('/rows')) as PerformanceResourceTiming[];
    const marks = performance.getEntriesByName('redoubt-rows-painted');
    const [first] = entries;
    const painted = marks[0]?.startTime;
    return first === undefined || painted === undefined ? Number.NaN : painted - first.responseStart;
  });
};

/** Measures the console with a dataset of many rows and 100 columns. */
export const measureBudget = async ({ rows, steps, onProgress }: BudgetOptions): Promise<Figure[]> => {
  const house = await openConsole();
  try {
    const { reader, id } = await fillDataset(house.server, rows, (written) => {
      if (written % 100_000 === 0) onProgress(`${written.toLocaleString('en')} rows written`);
    });
    const context = await house.openContext({ viewport: { width: 1440, height: 900 } });
    const page = await house.openPage(context);
    await watchLayout(page);
    await page.addInitScript(() => {
      const look = (): void => {
        const isPainted = document.querySelector('.grid-cell bdi') !== null;
        if (isPainted) performance.mark('redoubt-rows-painted');
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await signIn(page, reader);
    const url = `${house.server.url}/app/datasets/${id}`;
    const paints: number[] = [];
    for (let open = 0; open < opens; open++) paints.push(await paintAfterRows(page, url));
    await page.waitForLoadState('networkidle');
    const shift = await layoutShift(page);
    onProgress('the page is open');
    await scrollSteps(page, Math.min(200, steps), stepPixels);
    const heapBefore = await heapBytes(page);
    let times: number[] = [];
    const busy = await busyMilliseconds(page, async () => {
      times = await scrollSteps(page, steps, stepPixels);
    });
    const heapAfter = await heapBytes(page);
    const cells = await page.locator('.grid-cell').count();
    return [
      {
        name: 'JavaScript of the first load (brotli)',
        value: firstLoadBytes(house.build) / 1000,
        unit: 'kB',
        limit: 250,
      },
      {
        name: `p95 of ${steps.toLocaleString('en')} scroll steps`,
        value: percentile(times, 0.95),
        unit: 'ms',
        limit: 33,
      },
      { name: 'p50 of the scroll steps', value: percentile(times, 0.5), unit: 'ms', limit: 33 },
      { name: 'work of the page for a step', value: busy / steps, unit: 'ms', limit: 16 },
      { name: 'memory added by scrolling', value: (heapAfter - heapBefore) / 1e6, unit: 'MB', limit: 5 },
      { name: 'cells in the page', value: cells, unit: '', limit: 600 },
      { name: 'rows painted after the first byte', value: percentile(paints, 0.5), unit: 'ms', limit: 100 },
      { name: 'layout shift', value: shift, unit: '', limit: 0.02 },
    ];
  } finally {
    await house.close();
  }
};
