import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { specifiedDocs } from './routes.ts';

const folder = join(import.meta.dirname, '../docs');

interface Page {
  readonly route: string;
  readonly text: string;
  readonly anchors: ReadonlySet<string>;
}

const pages: readonly Page[] = globSync('**/*.{md,mdx}', { cwd: folder }).map((file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  return { route: routeOf(file, text), text, anchors: anchorsOf(text) };
});
const byRoute = new Map(pages.map((page) => [page.route, page]));

/** The route of a page: its slug, or else its path. */
function routeOf(file: string, text: string): string {
  const slug = /^slug: (?<slug>\S+)$/m.exec(text)?.groups?.['slug'];
  const path = slug ?? `/${file.replace(/(?:\/?index)?\.mdx?$/, '')}`;
  return `/docs${path === '/' ? '' : path}/`;
}

/** The anchors of the headings of a page, as the site makes them, and those that the page sets itself. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set([...text.matchAll(/\{#(?<id>[\w-]+)\}|\bid="(?<html>[\w-]+)"/g)].map(idOf));
  for (const [, title = ''] of text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)) {
    const slug = title
      .replace(/\s*\{#.*\}$/, '')
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    let unique = slug;
    for (let count = 1; anchors.has(unique); count++) unique = `${slug}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

function idOf({ groups }: RegExpExecArray): string {
  return groups?.['id'] ?? groups?.['html'] ?? '';
}

describe('sources of the site', () => {
  test('every page of the specification has a source', () => {
    const missing = specifiedDocs.filter((doc) => !byRoute.has(`/docs/${doc}/`));
    assert.deepEqual(missing, []);
  });

  test('every link between pages leads to a page and a heading', () => {
    let count = 0;
    const broken: string[] = [];
    for (const { route, text } of pages) {
      for (const [, path = '', anchor] of text.matchAll(/\]\((\/docs\/[^)#\s]*|)(?:#([\w-]+))?\)/g)) {
        count++;
        const target = byRoute.get(path === '' ? route : path);
        if (target === undefined ? !path.startsWith('/docs/category/') : !hasAnchor(target, anchor))
          broken.push(`${route}: ${path}#${anchor ?? ''}`);
      }
    }
    assert.ok(count > 100, String(count));
    assert.deepEqual(broken, []);
  });
});

/** Pages with parts that are generated when the site is built have anchors that their source lacks. */
function hasAnchor({ text, anchors }: Page, anchor: string | undefined): boolean {
  return anchor === undefined || anchors.has(anchor) || /^import /m.test(text);
}
