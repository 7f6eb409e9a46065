import { settings } from '../platform/config/index.ts';
import { code, table } from './markdown.ts';

const addresses = /[a-z]+:\/\/(?:<[^>]*>|[^\s<])+(?<![.,;)])/g;

/** Addresses are examples and no links, and `<…>` is no tag. */
const plain = (text: string): string =>
  text.search(addresses) >= 0
    ? text.replaceAll(addresses, (found) => code(found))
    : text.replaceAll('<', String.raw`\<`);

/** Every setting of the server, with its default and what it does. */
export const settingsSection = (): string =>
  table(
    ['Setting', 'Default', 'What it does'],
    Object.entries(settings).map(([name, setting]) => [
      code(name),
      plain(setting.default),
      plain(setting.description),
    ]),
  );
