import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { builtSite } from './build.ts';
import { startBrowser } from './start-browser.ts';
import { pageTypes } from './page-types.ts';
import { startSite } from './serve.ts';

/** Pictures of each kind of page, narrow and wide, in both modes, into the folder that is named (`screenshots` unless told). */
const folder = resolve(process.argv[2] ?? 'screenshots');
mkdirSync(folder, { recursive: true });

const site = await startSite(await builtSite());
const chromium = await startBrowser();
try {
  for (const mode of ['light', 'dark']) {
    for (const width of [390, 1440]) {
      const context = await chromium.newContext({ viewport: { width, height: width < 600 ? 844 : 900 } });
      await context.addInitScript((choice) => localStorage.setItem('theme', choice), mode);
      for (const [name, path] of pageTypes) {
        const page = await context.newPage();
        await page.goto(site.origin + path, { waitUntil: 'networkidle' });
        await page.screenshot({ path: join(folder, `${name}-${width}-${mode}.png`) });
        await page.close();
      }
      await context.close();
    }
  }
  console.log(`${pageTypes.length * 4} pictures in ${folder}`);
} finally {
  await chromium.close();
  await site.stop();
}
