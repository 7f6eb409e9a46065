import {
  bodyOf,
  createRecordFixture,
  labelField,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openConsole, signIn, type ConsoleFixture } from '../console-fixture.ts';

/** A dataset of 350 records in a console. Record 5 has the label EU. */
export interface RecordsFixture {
  house: ConsoleFixture;
  fixture: RecordFixture;
  /** Holds EU. */
  ada: TestPerson;
  /** Holds nothing. */
  ben: TestPerson;
  dataset: string;
  /** Opens the records as a person, and waits for the first rows. */
  openRecords(
    person: TestPerson,
    search?: Readonly<Record<string, unknown>>,
    options?: BrowserContextOptions,
  ): Promise<Page>;
}

const types = ['VOR', 'NDB', 'DME'];
const records = Array.from({ length: 350 }, (_, n) => ({
  n,
  type: n === 7 ? '' : n === 8 ? null : types[n % 3],
  flag: n % 2 === 0,
  zero: 0,
  secret: n === 5 ? 'for Europe alone' : `s${String(n % 4)}`,
  long: 'é'.repeat(n === 0 ? 700 : 3),
  label: n === 5 ? 'EU' : '',
}));

/** The fields of the records, in the order of the schema. */
export const fieldNames = ['flag', 'label', 'long', 'n', 'secret', 'type', 'zero'];
export const byNumber = { sort: [{ field: 'n', direction: 'ascending' }] };

export const openRecordsFixture = async (): Promise<RecordsFixture> => {
  const house = await openConsole();
  const fixture = await createRecordFixture(house.server);
  const ada = await fixture.newReader('EU');
  const ben = await fixture.newReader();
  const dataset = await fixture.dataset(['read', 'write'], { name: 'Aids' });
  bodyOf(200, await fixture.write(dataset, records, { labelInfo: labelField }));

  const pathOf = (search: Readonly<Record<string, unknown>>): string => {
    const parameters = Object.entries(search).map(
      ([name, value]) => `${name}=${encodeURIComponent(JSON.stringify(value))}`,
    );
    return `/app/datasets/${dataset}?${parameters.join('&')}`;
  };
  return {
    house,
    fixture,
    ada,
    ben,
    dataset,
    openRecords: async (person, search = byNumber, options = {}) => {
      const context = await house.openContext({
        permissions: ['clipboard-read', 'clipboard-write'],
        viewport: { width: 1800, height: 900 },
        ...options,
      });
      const page = await house.openPage(context);
      await signIn(page, person);
      await page.goto(`${house.server.url}${pathOf(search)}`);
      await page.getByRole('gridcell').first().waitFor();
      await page.locator('.grid-waiting').first().waitFor({ state: 'detached' });
      return page;
    },
  };
};

/** The parameters of the address. */
export const searchOf = (page: Page): Record<string, unknown> =>
  Object.fromEntries(
    [...new URL(page.url()).searchParams].map(([name, value]): [string, unknown] => {
      try {
        return [name, JSON.parse(value)];
      } catch {
        return [name, value];
      }
    }),
  );

/** Waits until this count stands above the grid. */
export const counted = async (page: Page, text: string): Promise<void> =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor();

export const activeText = (page: Page): Promise<string> =>
  page.locator('.grid-cell[data-active="true"]').innerText();
export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
export const headers = (page: Page): Promise<string[]> => page.locator('.grid-name').allInnerTexts();
