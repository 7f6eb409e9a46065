import { documentFormats } from '../documents/document-formats.ts';
import { registeredFormats } from '../registered-formats.ts';

const end = '<!-- prettier-ignore-end -->\n';

/** The page of the documentation that lists the formats. */
export const formatPage = new URL(
  '../../../../apps/docs/docs/datasets/supported-filetypes.md',
  import.meta.url,
);

interface ListedFormat {
  readonly name: string;
  readonly extensions: readonly string[];
  readonly description: string;
}

/** Returns the page with its tables of formats replaced by the current ones. */
export const withFormatTable = (page: string): string =>
  withTable(withTable(page, 'file-formats', registeredFormats), 'document-formats', documentFormats);

function withTable(page: string, name: string, formats: readonly ListedFormat[]): string {
  const start = `<!-- generated: ${name} -->\n<!-- prettier-ignore-start -->\n`;
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`The page has no place for the generated table "${name}".`);
  return `${page.slice(0, from + start.length)}\n${formatTable(formats)}\n${page.slice(to)}`;
}

function formatTable(formats: readonly ListedFormat[]): string {
  const rows = formats.map(
    ({ name, extensions, description }) =>
      `| \`${name}\` | ${extensions.map((extension) => `\`${extension}\``).join(', ')} | ${description} |`,
  );
  return [
    '| Format | Endings of file names | What becomes a record |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
