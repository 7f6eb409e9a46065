import { quoteText } from '../../rows/quote-text.ts';
import { DamagedFile } from '../damaged-file.ts';
import type { LeafCursor } from './leaf-cursor.ts';
import type { MapNode, ParquetNode } from './parquet-schema.ts';

/** The maximum values of one list or map. */
const maxItems = 10_000_000;

/**
 * Returns the next value of a column as JSON, assembled from the values of its leaves as the Dremel paper describes it.
 */
export type NodeReader = () => string;

/**
 * @param cursors by leaf, in the order of the file
 * @param onProblem called with the reason when the row cannot be stored
 */
export function createNodeReader(
  node: ParquetNode,
  cursors: readonly LeafCursor[],
  onProblem: (problem: string) => void,
): NodeReader {
  const own = cursors.slice(node.firstLeaf, node.endLeaf);
  const first = own[0] ?? noCursor();
  const readBody = createBodyReader(node, cursors, onProblem);
  const { nullBelow } = node;
  const skipAll = (): void => {
    for (const cursor of own) cursor.skip();
  };

  const readPresent = ((): NodeReader => {
    if (node.kind === 'leaf') {
      const { maxDefinition } = node.leaf;
      // The level means either that the value is null or that there is a value. With any other level, the file is
      // damaged.
      return () => {
        if (first.definition() !== maxDefinition)
          throw new DamagedFile('the levels of a value contradict each other');
        return first.take();
      };
    }
    if (node.kind === 'struct') return readBody;
    const { emptyBelow } = node;
    const empty = node.kind === 'map' && isTextMap(node) ? '{}' : '[]';
    return () => {
      if (first.definition() >= emptyBelow) return readBody();
      skipAll();
      return empty;
    };
  })();

  if (nullBelow === 0) return readPresent;
  return () => {
    if (first.definition() >= nullBelow) return readPresent();
    skipAll();
    return 'null';
  };
}

function createBodyReader(
  node: ParquetNode,
  cursors: readonly LeafCursor[],
  onProblem: (problem: string) => void,
): NodeReader {
  switch (node.kind) {
    case 'leaf':
      return () => 'null';
    case 'struct': {
      const readers = node.fields.map((field) => ({
        key: `${quoteText(field.name)}:`,
        read: createNodeReader(field.node, cursors, onProblem),
      }));
      return () => `{${readers.map(({ key, read }) => key + read()).join(',')}}`;
    }
    case 'list': {
      const read = createNodeReader(node.item, cursors, onProblem);
      const items = repeat(node, cursors, read);
      return () => `[${items().join(',')}]`;
    }
    case 'map':
      return createMapReader(node, cursors, onProblem);
  }
}

/** Reads the values that continue the list. */
function repeat(
  { firstLeaf, repeatLevel }: { firstLeaf: number; repeatLevel: number },
  cursors: readonly LeafCursor[],
  read: () => string,
): () => string[] {
  const first = cursors[firstLeaf] ?? noCursor();
  return () => {
    const items: string[] = [];
    do {
      if (items.length === maxItems) throw new DamagedFile(`a list has more than ${String(maxItems)} values`);
      items.push(read());
    } while (first.repetition() === repeatLevel);
    return items;
  };
}

/** Maps with text keys become objects; other maps become lists of pairs. */
const isTextMap = ({ key }: MapNode): boolean =>
  key.kind === 'leaf' &&
  (key.leaf.element.logical_type?.type === 'STRING' || key.leaf.element.converted_type === 'UTF8');

function createMapReader(
  node: MapNode,
  cursors: readonly LeafCursor[],
  onProblem: (problem: string) => void,
): NodeReader {
  const readKey = createNodeReader(node.key, cursors, onProblem);
  const readValue =
    node.value === undefined ? () => 'null' : createNodeReader(node.value, cursors, onProblem);
  if (!isTextMap(node)) {
    const pairs = repeat(node, cursors, () => `{"key":${readKey()},"value":${readValue()}}`);
    return () => `[${pairs().join(',')}]`;
  }
  let keys = new Set<string>();
  const pairs = repeat(node, cursors, () => {
    const key = readKey();
    if (keys.has(key))
      onProblem(`a map has the key ${key.slice(0, 40)} twice, and only one value could be kept.`);
    keys.add(key);
    if (key === 'null') onProblem('a map has a key that is null.');
    return `${key}:${readValue()}`;
  });
  return () => {
    // Maps can be nested.
    const outer = keys;
    keys = new Set();
    const json = `{${pairs().join(',')}}`;
    keys = outer;
    return json;
  };
}

const noCursor = (): never => {
  throw new DamagedFile('a group has no columns');
};
