import axe from 'axe-core';
import type { Page } from 'playwright-core';

export interface Look {
  readonly mode: 'dark' | 'light';
  /** In pixels. */
  readonly width: number;
}

/** The combinations of mode and width: each mode on a telephone and on a desktop. */
export const looks: readonly Look[] = (['light', 'dark'] as const).flatMap((mode) =>
  [390, 1440].map((width) => ({ mode, width })),
);

export const inWords = ({ mode, width }: Look): string => `${mode}, ${width} px wide`;

/** Switches the mode of the open page, as a choice in another tab does. Open elements stay open. */
export async function wear(tab: Page, { mode, width }: Look): Promise<void> {
  await tab.setViewportSize({ width, height: 900 });
  await tab.evaluate((choice) => {
    const before = { key: 'theme', oldValue: localStorage.getItem('theme'), newValue: choice };
    localStorage.setItem('theme', choice);
    dispatchEvent(new StorageEvent('storage', { ...before, storageArea: localStorage }));
  }, mode);
  await tab.locator(`html[data-theme="${mode}"]`).waitFor({ state: 'attached' });
  // Contrast can only be measured after the colour transition.
  await tab.evaluate(async () => {
    const changing = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.allSettled(changing.map(({ finished }) => finished));
  });
}

interface Found {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** The violations that axe finds on the open page or a part of it: the rule and the element. */
export async function violations(tab: Page, part = 'html'): Promise<string[]> {
  if (!(await tab.evaluate(() => 'axe' in globalThis))) await tab.addScriptTag({ content: axe.source });
  return tab.evaluate(async (selector) => {
    const { axe: inPage } = globalThis as unknown as {
      axe: { run: (part: string, options: { resultTypes: string[] }) => Promise<Found> };
    };
    const { violations: found } = await inPage.run(selector, { resultTypes: ['violations'] });
    return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  }, part);
}
