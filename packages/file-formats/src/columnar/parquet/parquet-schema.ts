import type { SchemaElement, SchemaTree } from 'hyparquet';
import { UnsupportedFile } from '../damaged-file.ts';
import { distinctNames } from '../../columns/choose-columns.ts';

interface NodePlace {
  /** Values with a lower definition level are null at this node; 0 if they cannot be null. */
  readonly nullBelow: number;
  /** The index of its first leaf in the file, and the index after its last leaf. */
  readonly firstLeaf: number;
  readonly endLeaf: number;
}

interface ListLevels {
  /** A list whose definition level is lower is empty. */
  readonly emptyBelow: number;
  /** Values with this repetition level continue the list. */
  readonly repeatLevel: number;
}

export interface LeafNode extends NodePlace {
  readonly kind: 'leaf';
  readonly leaf: ParquetLeaf;
}

export interface StructNode extends NodePlace {
  readonly kind: 'struct';
  readonly fields: readonly { readonly name: string; readonly node: ParquetNode }[];
}

export interface ListNode extends NodePlace, ListLevels {
  readonly kind: 'list';
  readonly item: ParquetNode;
}

export interface MapNode extends NodePlace, ListLevels {
  readonly kind: 'map';
  readonly key: ParquetNode;
  readonly value: ParquetNode | undefined;
}

export type ParquetNode = LeafNode | StructNode | ListNode | MapNode;

/** A leaf column: its schema elements from the root down, and the levels of its values. */
export interface ParquetLeaf {
  readonly element: SchemaElement;
  readonly path: readonly SchemaTree[];
  readonly maxDefinition: number;
  readonly maxRepetition: number;
}

export interface ParquetSchema {
  readonly columns: readonly { readonly name: string; readonly node: ParquetNode }[];
  readonly leaves: readonly ParquetLeaf[];
}

/** The position of a node in the tree: its schema elements from the root down, and the levels so far. */
interface Place {
  readonly path: readonly SchemaTree[];
  readonly definition: number;
  readonly repetition: number;
}

/** Converts the schema of a file to a tree. @throws Error for a schema that is unsupported or contradicts itself */
export function readSchema(root: SchemaTree, maxNesting: number): ParquetSchema {
  const leaves: ParquetLeaf[] = [];

  function place(tree: SchemaTree, parent: Place): Place {
    if (parent.path.length > maxNesting) {
      throw new UnsupportedFile(
        `its columns are nested more than ${String(maxNesting)} deep. Write them with fewer levels.`,
      );
    }
    const repetition = tree.element.repetition_type;
    return {
      path: [...parent.path, tree],
      definition: parent.definition + (repetition === 'REQUIRED' || repetition === undefined ? 0 : 1),
      repetition: parent.repetition + (repetition === 'REPEATED' ? 1 : 0),
    };
  }

  /** A field of a group. A repeated field is a list. */
  function readField(tree: SchemaTree, parent: Place): ParquetNode {
    const here = place(tree, parent);
    const firstLeaf = leaves.length;
    if (tree.element.repetition_type !== 'REPEATED') {
      return readBody(tree, here, tree.element.repetition_type === 'OPTIONAL' ? here.definition : 0);
    }
    const item = readBody(tree, here, 0);
    const levels = { emptyBelow: here.definition, repeatLevel: here.repetition };
    return { kind: 'list', nullBelow: 0, firstLeaf, endLeaf: leaves.length, ...levels, item };
  }

  function readBody(tree: SchemaTree, here: Place, nullBelow: number): ParquetNode {
    const { element, children } = tree;
    const firstLeaf = leaves.length;
    if (element.type !== undefined) {
      leaves.push({
        element,
        path: here.path,
        maxDefinition: here.definition,
        maxRepetition: here.repetition,
      });
      return { kind: 'leaf', nullBelow, firstLeaf, endLeaf: leaves.length, leaf: leaves.at(-1) ?? none() };
    }
    if (children.length === 0) {
      throw new UnsupportedFile(`its group ${JSON.stringify(element.name)} has no columns. Leave it out.`);
    }
    if (element.logical_type?.type === 'VARIANT') {
      throw new UnsupportedFile(
        `its column ${JSON.stringify(element.name)} has the type VARIANT, which is not supported. Cast it to a struct or to text.`,
      );
    }
    return readAnnotated(tree, here, nullBelow, firstLeaf) ?? readStruct(tree, here, nullBelow, firstLeaf);
  }

  function readStruct(tree: SchemaTree, here: Place, nullBelow: number, firstLeaf: number): StructNode {
    const names = distinctNames(tree.children.map(({ element }) => element.name));
    const fields = tree.children.map((child, index) => ({
      name: names[index] ?? '',
      node: readField(child, here),
    }));
    return { kind: 'struct', nullBelow, firstLeaf, endLeaf: leaves.length, fields };
  }

  /** A list or map, by its annotation. The rules of the format for older writers apply. */
  function readAnnotated(
    { element, children }: SchemaTree,
    here: Place,
    nullBelow: number,
    firstLeaf: number,
  ): ListNode | MapNode | undefined {
    const [repeated] = children;
    if (repeated?.element.repetition_type !== 'REPEATED' || children.length !== 1) return undefined;
    const kind = element.logical_type?.type ?? element.converted_type;
    const inner = place(repeated, here);
    const levels = { nullBelow, firstLeaf, emptyBelow: inner.definition, repeatLevel: inner.repetition };
    const [key, value, ...more] = repeated.children;
    if (kind === 'LIST') {
      const isItem =
        key === undefined ||
        value !== undefined ||
        repeated.element.name === 'array' ||
        repeated.element.name === `${element.name}_tuple`;
      const item = isItem ? readBody(repeated, inner, 0) : readField(key, inner);
      return { kind: 'list', ...levels, item, endLeaf: leaves.length };
    }
    const isMap = kind === 'MAP' || kind === 'MAP_KEY_VALUE';
    if (!isMap || key === undefined || more.length > 0) return undefined;
    const keyNode = readField(key, inner);
    const valueNode = value === undefined ? undefined : readField(value, inner);
    return { kind: 'map', ...levels, key: keyNode, value: valueNode, endLeaf: leaves.length };
  }

  const top: Place = { path: [root], definition: 0, repetition: 0 };
  const columns = root.children.map((child) => ({ name: child.element.name, node: readField(child, top) }));
  return { columns, leaves };
}

const none = (): never => {
  throw new Error('A column is missing.');
};
