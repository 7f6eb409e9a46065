import assert from 'node:assert/strict';
import { test } from 'node:test';
import { darkColors, lightColors, type SchemeColors } from './palette.ts';

/** The relative luminance of a colour, as WCAG 2 defines it. */
const luminance = (hex: string): number => {
  const channels = [1, 3, 5].map((start) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const [red = 0, green = 0, blue = 0] = channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const textPairs = (colors: SchemeColors): [string, string, string][] => {
  const surfaces = [colors.paper, colors.background, colors.sunken];
  const { text, primary, error, warning, success, info } = colors;
  return [
    ...surfaces.flatMap((surface): [string, string, string][] => [
      ['primary text', text.primary, surface],
      ['secondary text', text.secondary, surface],
      ['tertiary text', text.tertiary, surface],
      ['links', primary.main, surface],
    ]),
    ['text of the primary button', primary.contrast, primary.main],
    ['text of the primary button under the pointer', primary.contrast, primary.hover],
    ['text of a selected row', text.primary, colors.selected],
    ['errors', error.main, error.tint],
    ['warnings', warning.main, warning.tint],
    ['success', success.main, success.tint],
    ['information', info.main, info.tint],
    ['matches of a search', text.primary, colors.match],
    ['chips', text.secondary, colors.chip],
  ];
};

for (const [scheme, colors] of [
  ['light', lightColors],
  ['dark', darkColors],
] as const) {
  test(`all text of the ${scheme} scheme has a contrast of 4.5 or more, and borders of inputs of 3`, () => {
    for (const [what, one, other] of textPairs(colors))
      assert.ok(
        contrast(one, other) >= 4.5,
        `${what}: ${one} on ${other} is ${contrast(one, other).toFixed(2)}`,
      );
    for (const surface of [colors.paper, colors.background])
      assert.ok(contrast(colors.border, surface) >= 3, `borders on ${surface}`);
  });
}
