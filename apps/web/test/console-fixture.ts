import { startBrowser } from '@redoubt/testkit/browser';
import { startServer, type TestServer, type TestServerOptions } from '@redoubt/server/testing';
import axe from 'axe-core';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { buildConsole, builtConsole, isCurrent } from '../building/build.ts';

/** A built console on a server of its own, and a browser. */
export interface ConsoleFixture {
  server: TestServer;
  /** The folder of the built console. */
  build: string;
  /** What browsers complained about: errors, violations of the policy, requests to other hosts. */
  complaints: string[];
  openContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  openPage(context: BrowserContext, path?: string): Promise<Page>;
  close(): Promise<void>;
}

/** @param hosts other servers that pages may send requests to, such as an identity provider */
export const openConsole = async (
  options: TestServerOptions = {},
  hosts: readonly string[] = [],
): Promise<ConsoleFixture> => {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-console-'));
  // A run of the tests builds the console before it starts the files.
  const build = isCurrent(builtConsole) ? builtConsole : join(folder, 'build');
  if (build !== builtConsole) await buildConsole(build);
  const server = await startServer({ ...options, consoleFolder: build });
  const browser = await startBrowser();
  const complaints: string[] = [];

  return {
    server,
    build,
    complaints,
    openContext: async (options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      context.on('request', (request) => {
        const isExpected = [server.url, ...hosts].some((host) => request.url().startsWith(host));
        if (!isExpected) complaints.push(`request to ${request.url()}`);
      });
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          const [target] = event.composedPath();
          // When selected text is typed over, the browser itself puts a style on the line of the editor.
          if (target instanceof Element && target.matches('.cm-line')) return;
          const where = target instanceof Element ? target.outerHTML.slice(0, 200) : '';
          console.error(`policy: ${event.effectiveDirective} ${event.blockedURI} ${where}`);
        });
      });
      return context;
    },
    openPage: async (context, path = '/app/') => {
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        // The browser itself reports each response of 400 and more; violations of the policy come from the listener.
        if (
          message.type() === 'error' &&
          !/^(Failed to load resource|Applying inline style)/.test(message.text())
        )
          complaints.push(message.text());
      });
      await page.goto(`${server.url}${path}`);
      return page;
    },
    close: async () => {
      await browser.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export interface Credentials {
  email: string;
  password: string;
}

/** Signs in on the page of the console that asks for it. */
export const signIn = async (page: Page, { email, password }: Credentials): Promise<void> => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // The button of the account stands on every page of a workspace.
  await page.locator('header button[aria-haspopup="menu"]').waitFor();
};

export const signOut = async (page: Page): Promise<void> => {
  await page.locator('header button[aria-haspopup="menu"]').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
};

/** Runs in the page: colours are measured after what fades in has done so. */
const waitForTransitions = async (): Promise<void> => {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  await Promise.allSettled(transitions.map(({ finished }) => finished));
};

/** The faults that axe finds on a page, a line each. axe sets style attributes: open the page with `bypassCSP`. */
export const accessibilityFaults = async (page: Page): Promise<string[]> => {
  await page.evaluate(waitForTransitions);
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: run } = window as unknown as { axe: typeof axe };
    const { violations } = await run.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'],
    });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    );
  });
};

/** The texts of the cells of a grid. */
export const cells = (page: Page): Promise<string[]> => page.getByRole('gridcell').allInnerTexts();
