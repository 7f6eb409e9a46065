import sax from 'sax';

/** Only the entities of XML itself are allowed. Positions are needed for messages. */
export const saxOptions = { strictEntities: true, position: true };

/** The path of the elements that are rows: the names from the root down to them. */
export type RowPath = readonly string[];

interface Level {
  readonly path: string;
  readonly counts: Map<string, number>;
}

/**
 * Finds the elements that are rows, from the beginning of a document: the elements nearest to the root that are
 * repeated under the same parent. If no element is repeated, the row is the first child of the root, or the root
 * itself.
 */
export function findRowPath(sample: string): RowPath {
  const parser = sax.parser(true, saxOptions);
  const open: Level[] = [];
  let best: { path: string; depth: number; count: number } | undefined;
  let root: string | undefined;
  let onlyChild: string | undefined;

  parser.onopentag = ({ name }) => {
    const parent = open.at(-1);
    root ??= name;
    const path = parent === undefined ? name : `${parent.path}\n${name}`;
    if (parent !== undefined) {
      if (open.length === 1) onlyChild ??= path;
      const count = (parent.counts.get(name) ?? 0) + 1;
      parent.counts.set(name, count);
      const depth = open.length;
      if (
        count > 1 &&
        (best === undefined || depth < best.depth || (depth === best.depth && count > best.count))
      ) {
        best = { path, depth, count };
      }
    }
    open.push({ path, counts: new Map() });
  };
  parser.onclosetag = () => {
    open.pop();
  };
  Object.assign(parser, {
    onerror: () => {
      throw parser.error;
    },
  });
  try {
    parser.write(sample);
  } catch {
    // The beginning of a document may end anywhere. For invalid XML, reading the rows will report the error.
  }
  return (best?.path ?? onlyChild ?? root ?? '').split('\n');
}
