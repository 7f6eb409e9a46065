import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { signIn, type ConsoleFixture } from '../console-fixture.ts';
import type { FilledWorkspace } from './fill-workspace.ts';
import type { Shot } from './shots.ts';

/** The browser contexts of people. Each is created and signed in when it is first needed. */
interface PersonContexts {
  /** Without a person, the context is not signed in. */
  contextOf: (as: Shot['as']) => Promise<BrowserContext>;
  close: () => Promise<void>;
}

/** @param options how each context shows pages, such as its size */
export const openPeople = (
  house: ConsoleFixture,
  place: FilledWorkspace,
  options: BrowserContextOptions,
): PersonContexts => {
  const contexts = new Map<string, Promise<BrowserContext>>();
  const create = async (as: Shot['as']): Promise<BrowserContext> => {
    const context = await house.openContext(options);
    if (as === undefined) return context;
    const page = await house.openPage(context);
    if (as === 'newcomer') {
      await page.getByLabel('Email').fill(place.newcomer.email);
      await page.getByLabel('Password').fill(place.newcomer.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Create your workspace' }).waitFor();
    } else await signIn(page, place[as]);
    await page.close();
    return context;
  };
  return {
    contextOf: (as) => {
      const key = as ?? '';
      const context = contexts.get(key) ?? create(as);
      contexts.set(key, context);
      return context;
    },
    close: async () => {
      for (const context of contexts.values()) await (await context).close();
    },
  };
};
