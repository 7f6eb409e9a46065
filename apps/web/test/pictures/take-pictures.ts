import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { openConsole, type ConsoleFixture } from '../console-fixture.ts';
import { fillWorkspace, type FilledWorkspace } from './fill-workspace.ts';
import { openPeople } from './open-people.ts';
import { chiefShots, importFlights, otherShots, type Shot } from './shots.ts';
import { stateShots } from './state-shots.ts';

const schemes = ['light', 'dark'] as const;
const widths = [390, 1440] as const;

/** Pictures on a sheet at most. */
const sheetSize = 8;

type Scheme = (typeof schemes)[number];
type Width = (typeof widths)[number];

export interface PictureOptions {
  folder: string;
  /** Only pages whose name contains one of these words, which commas separate. */
  only?: string | undefined;
  /** Whether only the chief pages are photographed. */
  isChiefAlone?: boolean;
  schemes?: readonly Scheme[];
  widths?: readonly Width[];
  /** The most rows of a dataset. */
  maxRows?: number;
  onProgress: (message: string) => void;
}

const screenOf = (scheme: Scheme, width: Width) => ({
  colorScheme: scheme,
  viewport: { width, height: width < 600 ? 844 : 900 },
  hasTouch: width < 600,
  isMobile: width < 600,
  reducedMotion: 'reduce' as const,
});

/** Opens pages on one screen, each person in a separate context that is signed in once. */
const openScreen = (house: ConsoleFixture, place: FilledWorkspace, scheme: Scheme, width: Width) => {
  const people = openPeople(house, place, screenOf(scheme, width));
  return {
    open: async ({ as, path, prepare }: Shot): Promise<Page> => {
      const page = await (await people.contextOf(as)).newPage();
      page.setDefaultTimeout(60_000);
      await prepare?.(page);
      await page.goto(`${house.server.url}${path}`);
      return page;
    },
    close: people.close,
  };
};

/** The fonts are loaded and nothing moves any more. */
const settle = async (page: Page): Promise<void> => {
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(300);
};

/** Puts pictures side by side, each under its name. */
const makeSheet = async (
  context: BrowserContext,
  shown: readonly { name: string; file: string }[],
  path: string,
  width: Width,
): Promise<void> => {
  const page = await context.newPage();
  const size = width < 600 ? 340 : 720;
  await page.setViewportSize({ width: 1500, height: 900 });
  const figures = shown.map(({ name, file }) => {
    const data = readFileSync(file).toString('base64');
    return `<figure><figcaption>${name}</figcaption><img width="${String(size)}" src="data:image/png;base64,${data}"></figure>`;
  });
  await page.setContent(
    `<style>body{margin:12px;display:flex;flex-wrap:wrap;gap:12px;font:14px sans-serif;background:#888}figure{margin:0}</style>${figures.join('')}`,
  );
  await page.screenshot({ path, fullPage: true });
  await page.close();
};

/** Photographs the chief pages one by one, and all other pages and states as sheets. Returns the files. */
export const takePictures = async (options: PictureOptions): Promise<string[]> => {
  const { folder, only = '', onProgress } = options;
  const words = only.split(',');
  const isWanted = ({ name }: Shot): boolean => words.some((word) => name.includes(word));
  const parts = join(folder, 'parts');
  mkdirSync(parts, { recursive: true });
  // No picture starts the program.
  const house = await openConsole({ connectors: { sqlite: ['/opt/sqlite_connector.py'] } });
  const taken: string[] = [];
  try {
    const place = await fillWorkspace(house.server.url, options.maxRows ?? Number.POSITIVE_INFINITY);
    onProgress('the workspace is filled');
    const first = openScreen(house, place, 'light', 1440);
    const page = await first.open({
      name: '',
      as: 'ada',
      path: '/app/datasets/new',
      act: async () => undefined,
    });
    const receipt = await importFlights(page);
    await first.close();
    for (const scheme of options.schemes ?? schemes) {
      for (const width of options.widths ?? widths) {
        const screen = openScreen(house, place, scheme, width);
        const suffix = `${String(width)}-${scheme}`;
        const take = async (shot: Shot, file: string): Promise<void> => {
          const opened = await screen.open(shot);
          try {
            await shot.act(opened);
          } catch (error) {
            onProgress(
              `${shot.name}: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`,
            );
          }
          await settle(opened);
          await opened.screenshot({ path: file });
          await opened.context().setOffline(false);
          await opened.close();
        };
        for (const shot of chiefShots(place)) {
          if (!isWanted(shot)) continue;
          const file = join(folder, `${shot.name}-${suffix}.png`);
          await take(shot, file);
          taken.push(file);
        }
        const sheets =
          options.isChiefAlone === true
            ? {}
            : { pages: otherShots(place, receipt), states: stateShots(place) };
        const context = await house.openContext();
        for (const [name, shots] of Object.entries(sheets)) {
          const shown: { name: string; file: string }[] = [];
          for (const shot of shots) {
            if (!isWanted(shot)) continue;
            const file = join(parts, `${shot.name.replaceAll(/\W+/g, '-')}-${suffix}.png`);
            await take(shot, file);
            shown.push({ name: shot.name, file });
          }
          for (let from = 0; from < shown.length; from += sheetSize) {
            const path = join(folder, `sheet-${name}-${String(from / sheetSize + 1)}-${suffix}.png`);
            await makeSheet(context, shown.slice(from, from + sheetSize), path, width);
            taken.push(path);
          }
        }
        await context.close();
        await screen.close();
        onProgress(`${suffix} is photographed`);
      }
    }
    for (const complaint of house.complaints) onProgress(complaint);
    return taken;
  } finally {
    rmSync(parts, { recursive: true, force: true });
    await house.close();
  }
};
