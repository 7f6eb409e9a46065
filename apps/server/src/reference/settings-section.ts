import { settings } from '../platform/config/index.ts';
import { code, table } from './markdown.ts';

const urls = /[a-z]+:\/\/(?:<[^>]*>|[^\s<])+(?<![.,;)])/g;

/** Formats URLs as code, since they are examples and not links, and escapes `<`, which is not a tag. */
const plain = (text: string): string =>
  text.search(urls) >= 0
    ? text.replaceAll(urls, (found) => code(found))
    : text.replaceAll('<', String.raw`\<`);

/** The table of all settings. */
export const settingsSection = (): string =>
  table(
    ['Setting', 'Default', 'What it does'],
    Object.entries(settings).map(([name, setting]) => [
      code(name),
      plain(setting.default),
      plain(setting.description),
    ]),
  );
