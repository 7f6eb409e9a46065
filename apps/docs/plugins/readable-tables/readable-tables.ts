/** A node of the tree of a page, with the fields used here. */
export interface Node {
  readonly type: string;
  readonly tagName?: string;
  readonly value?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
}

const childrenOf = ({ children = [] }: Node): Node[] => children;

const textOf = (node: Node): string => node.value ?? childrenOf(node).map(textOf).join('');

const within = (node: Node, ...names: readonly string[]): Node[] =>
  childrenOf(node).flatMap((child) =>
    names.includes(child.tagName ?? '') ? [child] : within(child, ...names),
  );

/** Line breaks in long names are allowed after these characters, and before the capitals of camel case. */
const breaks = /(?<=[_/=&|,])|(?<=[a-z])(?=[A-Z])/;

const breakable = (text: string): Node[] =>
  text
    .split(breaks)
    .flatMap((part, index): Node[] => [
      ...(index === 0 ? [] : [{ type: 'element', tagName: 'wbr', properties: {}, children: [] }]),
      { type: 'text', value: part },
    ]);

const withBreaks = (node: Node): void => {
  node.children = childrenOf(node).flatMap((child) => {
    if (child.type === 'text') return breakable(child.value ?? '');
    withBreaks(child);
    return [child];
  });
};

const give = (node: Node, properties: Record<string, unknown>): void => {
  node.properties = { ...node.properties, ...properties };
};

/** Sets explicit roles, since browsers drop the table semantics if CSS changes `display`. */
const describe = (table: Node): void => {
  const rows = within(table, 'tr');
  const heads = rows.slice(0, 1).flatMap((row) => within(row, 'th').map(textOf));
  give(table, { role: 'table' });
  for (const group of within(table, 'thead', 'tbody')) give(group, { role: 'rowgroup' });
  for (const row of rows) {
    give(row, { role: 'row' });
    for (const [column, cell] of within(row, 'th', 'td').entries()) {
      const role = cell.tagName === 'th' ? 'columnheader' : 'cell';
      give(cell, { role, ...(role === 'cell' && { 'data-label': heads[column] ?? '' }) });
      for (const code of within(cell, 'code')) withBreaks(code);
    }
  }
};

/** Adds the name of its column to each cell of a table. It is shown before the cell on narrow screens. */
export const readableTables = () => (tree: Node) => {
  for (const table of within(tree, 'table')) describe(table);
};
