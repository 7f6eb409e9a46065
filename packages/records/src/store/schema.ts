import { isHiddenPath, type SortedPaths } from '@redoubt/labels';
import { fieldTypeOf, kindBit, kinds, pathOfCode, type FieldType, type Kind } from '@redoubt/query';

/** The fields of a dataset for one reader, sorted by name. */
export type DatasetFieldTypes = Record<string, { type: FieldType }>;

/** Which fields a schema includes besides the top-level fields of the records. */
export interface SchemaOptions {
  /** Includes fields inside objects, by their path. */
  nested?: boolean | undefined;
  /** Includes `_koverse_record_id`, `_koverse_dataset_id` and `_koverse_timestamp`. */
  internalFields?: boolean | undefined;
  /** Includes `_koverse_security_label`. */
  securityField?: boolean | undefined;
}

const topBit = 16;
const kindMask = 15;

const topLevel = (codes: Iterable<number>): number[] =>
  Array.from(codes).filter((code) => (code & topBit) !== 0);

/**
 * The mask of kinds at each path in records with these codes. Statements are compiled from these instead of the kinds
 * of all records, because the size and depth of a statement would disclose what hidden records contain.
 */
export function kindsByPath(
  codes: Iterable<number>,
  paths: readonly { path: string }[],
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const code of codes) {
    const path = paths[pathOfCode(code)]?.path;
    if (path !== undefined) found.set(path, (found.get(path) ?? 0) | kindBit((code & kindMask) as Kind));
  }
  return found;
}

/** Leaves out the codes of hidden paths and of unknown paths. */
export function withoutHiddenCodes(
  hidden: SortedPaths,
  codes: Iterable<number>,
  paths: readonly { path: string }[],
): ReadonlySet<number> {
  const kept = new Set<number>();
  for (const code of codes) {
    const path = paths[pathOfCode(code)]?.path;
    if (path !== undefined && !isHiddenPath(hidden, path)) kept.add(code);
  }
  return kept;
}

/**
 * Derives the schema of records with these codes.
 * @param codes the codes of `fields` of the visible records
 * @param paths all paths of the dataset, by id
 */
export function inferSchema(
  codes: Iterable<number>,
  paths: readonly { path: string }[],
  options: SchemaOptions,
): DatasetFieldTypes {
  const all = kindsByPath(codes, paths);
  const chosen = options.nested === true ? all : kindsByPath(topLevel(codes), paths);
  const fields: [string, FieldType][] = [];
  for (const [path, mask] of chosen) {
    if (!isInsideArray(path, mask, all)) fields.push([path, fieldTypeOf(path, mask)]);
  }
  if (options.internalFields === true) fields.push(...internalFields);
  if (options.securityField === true) fields.push(['_koverse_security_label', 'text']);
  fields.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return Object.fromEntries(fields.map(([name, type]) => [name, { type }]));
}

const internalFields: [string, FieldType][] = [
  ['_koverse_dataset_id', 'text'],
  ['_koverse_record_id', 'text'],
  ['_koverse_timestamp', 'timestamp'],
];

/** Whether the path only occurs inside an array. It is then part of the column of the array. */
function isInsideArray(path: string, mask: number, all: ReadonlyMap<string, number>): boolean {
  const own = mask & ~(kindBit(kinds.element) | kindBit(kinds.null) | kindBit(kinds.object));
  if (own !== 0) return false;
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    if (((all.get(path.slice(0, dot)) ?? 0) & kindBit(kinds.array)) !== 0) return true;
  }
  return false;
}
