import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { type Node, readableTables } from './readable-tables.ts';

const element = (tagName: string, ...children: Node[]): Node => ({ type: 'element', tagName, children });
const text = (value: string) => ({ type: 'text', value });

test('table cells have the name of their column, and long names in them have line break opportunities', () => {
  const cell = element('td', element('code', text('DATA_DIR')));
  const table = element(
    'table',
    element('thead', element('tr', element('th', text('Setting')))),
    element('tbody', element('tr', cell)),
  );
  readableTables()({ type: 'root', children: [element('p', table)] });
  deepEqual(cell, {
    type: 'element',
    tagName: 'td',
    properties: { role: 'cell', 'data-label': 'Setting' },
    children: [
      element(
        'code',
        text('DATA_'),
        { type: 'element', tagName: 'wbr', properties: {}, children: [] },
        text('DIR'),
      ),
    ],
  });
});
