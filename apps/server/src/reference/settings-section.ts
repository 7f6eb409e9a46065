import { settings } from '../platform/config/index.ts';
import { code, table } from './markdown.ts';

/** What `define` was given may hold `<…>`, which Markdown would take for a tag. */
const plain = (text: string): string => text.replaceAll('<', String.raw`\<`);

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
