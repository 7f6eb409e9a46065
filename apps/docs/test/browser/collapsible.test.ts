/* Shows: S-collapsible, S-collapsible-reduced-motion, K-site-collapse-duration, K-site-collapse-reduced,
   K-site-collapse-easing */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';

import { fixturePages } from '../fixture-pages.ts';

const site = await fixturePages('behaviour');

interface Movement {
  readonly height: number;
  readonly milliseconds: number;
  readonly easing: string;
}

/** Opens a collapsed section and returns how its height changed. */
async function opened(page: Page, summary: string): Promise<Movement> {
  const moved = page.evaluate(
    () =>
      new Promise<Movement>((resolve) => {
        document.addEventListener('transitionrun', (event) => {
          if (event.propertyName !== 'height' || !(event.target instanceof HTMLElement)) return;
          const { transitionDuration, transitionTimingFunction } = getComputedStyle(event.target);
          resolve({
            height: event.target.scrollHeight,
            milliseconds: Math.round(Number.parseFloat(transitionDuration) * 1000),
            easing: transitionTimingFunction,
          });
        });
      }),
  );
  await page.locator('summary', { hasText: summary }).click();
  return moved;
}

/** The expected duration for the height of the content, in milliseconds. */
const duration = (height: number): number =>
  Math.round((4 + 15 * (height / 36) ** 0.25 + height / 36 / 5) * 10);

test('a collapsible section animates its height in and out, for longer the higher its content', async () => {
  const { page } = await site.open('/docs/intro/', { reducedMotion: 'no-preference' });
  const short = await opened(page, 'Short');
  const long = await opened(page, 'Long');
  assert.deepEqual(short, { ...short, milliseconds: duration(short.height), easing: 'ease-in-out' });
  assert.deepEqual(long, { ...long, milliseconds: duration(long.height), easing: 'ease-in-out' });
  assert.ok(short.height < 200 && long.height > 1000, `${short.height} and ${long.height} px`);
  assert.ok(
    long.milliseconds > short.milliseconds + 200,
    `${short.milliseconds} and ${long.milliseconds} ms`,
  );
  await page.getByText('Line 59').waitFor();
});

test('under reduced motion a collapsible section takes 1 ms', async () => {
  const { page } = await site.open('/docs/intro/', { reducedMotion: 'reduce' });
  const { milliseconds, height } = await opened(page, 'Long');
  assert.ok(height > 1000);
  assert.equal(milliseconds, 1);
  await page.getByText('Line 59').waitFor();
});
