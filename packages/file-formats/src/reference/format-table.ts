import { registeredFormats } from '../registered-formats.ts';

const start = '<!-- generated: file-formats -->\n<!-- prettier-ignore-start -->\n';
const end = '<!-- prettier-ignore-end -->\n';

/** The page of the documentation that lists the formats. */
export const formatPage = new URL(
  '../../../../apps/docs/docs/datasets/supported-filetypes.md',
  import.meta.url,
);

/** Returns the page with its table of formats replaced by the current one. */
export function withFormatTable(page: string): string {
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error('The page has no place for the generated table "file-formats".');
  return `${page.slice(0, from + start.length)}\n${formatTable()}\n${page.slice(to)}`;
}

function formatTable(): string {
  const rows = registeredFormats.map(
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
