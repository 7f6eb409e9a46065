/* Shows: K-site-contrast */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { breakpoints, desktopAbove } from '../breakpoints.ts';

const styles = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

/** The colours of each mode by name, without `--rd-`. */
const [light = new Map<string, string>(), changed = new Map<string, string>()] = styles('tokens.css')
  .split('[data-theme=')
  .map(
    (part) =>
      new Map(
        [...part.matchAll(/--rd-([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => [name, hex]),
      ),
  );
const modes = { light, dark: new Map([...light, ...changed]) };

/** The relative luminance of a colour `#rrggbb`, as defined by WCAG 2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function ratio(colours: ReadonlyMap<string, string>, ink: string, ground: string): number {
  const [one, other] = [colours.get(ink), colours.get(ground)];
  assert.ok(one !== undefined && other !== undefined, `${ink} on ${ground}`);
  return contrast(one, other);
}

const grounds = ['paper', 'background', 'sunken', 'raised'];
const inks = [
  'text',
  'text-secondary',
  'text-tertiary',
  'primary',
  'primary-strong',
  'error',
  'warning',
  'success',
  'info',
];
const codeInks = [
  'text',
  'text-secondary',
  'text-tertiary',
  'primary',
  'success',
  'warning',
  'info',
  'error',
  'code-plum',
  'code-olive',
  'code-rust',
];

/** Every pair of text colour and background that occurs on a page. */
const pairs: [ink: string, ground: string][] = [
  ...inks.flatMap((ink) => grounds.map((ground): [string, string] => [ink, ground])),
  ...codeInks.map((ink): [string, string] => [ink, 'sunken']),
  ...['error', 'warning', 'success', 'info', 'neutral'].map((name): [string, string] => [
    name,
    `${name}-tint`,
  ]),
  ...['error-tint', 'warning-tint', 'success-tint', 'info-tint', 'neutral-tint', 'selected', 'match'].map(
    (ground): [string, string] => ['text', ground],
  ),
  ['primary', 'selected'],
  ['text-secondary', 'neutral-tint'],
  ['primary-text', 'primary'],
  ['primary-text', 'primary-strong'],
];

describe('palette of the site', () => {
  test('every text has a contrast of at least 4.5 to 1 in both modes', () => {
    for (const [mode, colours] of Object.entries(modes)) {
      for (const [ink, ground] of pairs) {
        const found = ratio(colours, ink, ground);
        assert.ok(found >= 4.5, `${mode}: ${ink} on ${ground}: ${found.toFixed(2)}`);
      }
    }
  });

  test('borders of fields and the focus ring have a contrast of at least 3 to 1 in both modes', () => {
    for (const [mode, colours] of Object.entries(modes)) {
      for (const edge of ['border', 'primary']) {
        for (const ground of ['paper', 'background']) {
          assert.ok(ratio(colours, edge, ground) >= 3, `${mode}: ${edge} on ${ground}`);
        }
      }
    }
  });

  test('style sheets use only colours of the palette', () => {
    const root = join(import.meta.dirname, '..');
    const files = globSync('**/*.css', { cwd: root }).filter((file) => !file.endsWith('tokens.css'));
    assert.ok(files.length > 5);
    for (const file of files) {
      const text = readFileSync(join(root, file), 'utf8');
      assert.deepEqual(text.match(/#[0-9a-f]{3,8}\b/gi) ?? [], [], file);
      for (const [, name = ''] of text.matchAll(/var\(--rd-([\w-]+)\)/g)) {
        const known = modes.light.has(name) || ['shadow', 'space', 'alert', 'alert-tint'].includes(name);
        assert.ok(known, `${file} names --rd-${name}`);
      }
    }
  });

  test('style sheets change the layout only at breakpoints', () => {
    const root = join(import.meta.dirname, '..');
    const widths = new Set(
      [...Object.values(breakpoints), desktopAbove].flatMap((width) => [width - 1, width, width + 1]),
    );
    for (const file of globSync('**/*.css', { cwd: root })) {
      for (const [, query = ''] of readFileSync(join(root, file), 'utf8').matchAll(/@media ([^{]*)/g)) {
        for (const [width] of query.matchAll(/\d+/g))
          assert.ok(widths.has(Number(width)), `${file}: ${query}`);
      }
    }
  });

  test('nothing on the site is smaller than 12 px', () => {
    const root = join(import.meta.dirname, '..');
    for (const file of globSync('**/*.css', { cwd: root })) {
      const text = readFileSync(join(root, file), 'utf8');
      const sizes = [...text.matchAll(/font-size: ([\d.]+)(rem|px|em);/g)];
      for (const [rule, size = '', unit] of sizes) {
        const px = unit === 'px' ? Number(size) : Number(size) * 14;
        assert.ok(px >= 11.99, `${file}: ${rule}`);
      }
    }
  });
});
