const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;

/** A table of Markdown. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n');

export const code = (text: string): string => `\`${text}\``;

/** A number for people: 12,000. */
export const count = (value: number): string => value.toLocaleString('en-US');
