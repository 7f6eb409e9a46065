import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { pageTypes } from './page-types.ts';

const modes = ['light', 'dark'] as const;
const widths = [390, 1440] as const;

/** Takes pictures of pages of a site into a folder, narrow and wide, in both modes. Returns the names of the files. */
export async function takePictures(
  chromium: Browser,
  { origin, pages, folder }: { origin: string; pages: typeof pageTypes; folder: string },
): Promise<string[]> {
  const taken: string[] = [];
  for (const mode of modes) {
    for (const width of widths) {
      const context = await chromium.newContext({ viewport: { width, height: width < 600 ? 844 : 900 } });
      await context.addInitScript((choice) => localStorage.setItem('theme', choice), mode);
      for (const [name, path] of pages) {
        const page = await context.newPage();
        await page.goto(origin + path, { waitUntil: 'networkidle' });
        const file = `${name}-${width}-${mode}.png`;
        await page.screenshot({ path: join(folder, file) });
        taken.push(file);
        await page.close();
      }
      await context.close();
    }
  }
  return taken;
}
