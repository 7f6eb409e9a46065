import { holdsHiddenPath, isHiddenPath } from '@redoubt/labels';
import { createColumnStripper } from './strip-columns.ts';

/** What the writer of a replacement does not see of the records that are replaced. */
export interface KeptColumns {
  /** The paths that the writer does not see, none of them inside another. */
  hidden: readonly string[];
  /** The texts of the records to be replaced, by id. */
  records: ReadonlyMap<string, string>;
}

type Node =
  | { kind: 'object'; members: { key: string; text: string; node: Node }[] }
  | { kind: 'list'; items: Node[] }
  | { kind: 'leaf'; text: string };

/**
 * The text of a record that replaces another, with the columns hidden from its writer as they were: what the writer sent
 * for them is left out. They stay where they were in objects that are there still (once), and in lists that are as long as
 * before; otherwise they come to stand at the end of the record under their path.
 * @param text a record without spaces between its tokens
 * @param before the record that it replaces, of the same kind
 */
export function keepColumns(text: string, before: string | undefined, hidden: readonly string[]): string {
  const visible = createColumnStripper(hidden).record(text);
  if (before === undefined || createColumnStripper(hidden).record(before) === before) return visible;
  const record = parse(visible);
  const lost: { path: string; node: Node }[] = [];
  merge(record, parse(before), undefined, hidden, lost);
  if (record.kind === 'object') record.members.push(...membersOf(lost));
  return print(record);
}

/** Takes what is hidden of a value over into the one that replaces it. */
function merge(
  into: Node | undefined,
  from: Node,
  path: string | undefined,
  hidden: readonly string[],
  lost: { path: string; node: Node }[],
): void {
  if (from.kind === 'list') {
    const items = into?.kind === 'list' && into.items.length === from.items.length ? into.items : [];
    for (const [index, item] of from.items.entries()) merge(items[index], item, path, hidden, lost);
    return;
  }
  if (from.kind !== 'object') return;
  const members = into?.kind === 'object' ? into.members : undefined;
  for (const { key, text, node } of from.members) {
    const inner = path === undefined ? key : `${path}.${key}`;
    if (isHiddenPath(hidden, inner)) {
      if (members === undefined) lost.push({ path: inner, node });
      else members.push({ key, text, node });
    } else if (holdsHiddenPath(hidden, inner)) {
      // Of a key that is there twice, searches see one and statements the other: what is kept stands beside both.
      const [same, another] = members?.filter((member) => member.key === key) ?? [];
      merge(another === undefined ? same?.node : undefined, node, inner, hidden, lost);
    }
  }
}

/** One member for each path; values that stood in lists make a list. */
function membersOf(
  lost: readonly { path: string; node: Node }[],
): { key: string; text: string; node: Node }[] {
  return [...Map.groupBy(lost, ({ path }) => path)].map(([key, values]) => {
    const [only] = values;
    const node: Node =
      only !== undefined && values.length === 1
        ? only.node
        : { kind: 'list', items: values.map((value) => value.node) };
    return { key, text: JSON.stringify(key), node };
  });
}

const print = (node: Node): string => {
  switch (node.kind) {
    case 'leaf':
      return node.text;
    case 'list':
      return `[${node.items.map(print).join(',')}]`;
    case 'object':
      return `{${node.members.map(({ text, node: value }) => `${text}:${print(value)}`).join(',')}}`;
  }
};

const tokenPattern = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^"{}[\]:,]+/gy;

/** Reads a record without spaces between its tokens; values keep their texts. */
function parse(text: string): Node {
  const tokens = text.match(tokenPattern) ?? [];
  let at = 0;
  const next = (): string => tokens[at++] ?? '';

  function value(): Node {
    const token = next();
    if (token === '{') return object();
    if (token === '[') return list();
    return { kind: 'leaf', text: token };
  }

  function object(): Node {
    const members: { key: string; text: string; node: Node }[] = [];
    while (at < tokens.length && tokens[at] !== '}') {
      const key = next();
      at++;
      members.push({ key: JSON.parse(key) as string, text: key, node: value() });
      if (tokens[at] === ',') at++;
    }
    at++;
    return { kind: 'object', members };
  }

  function list(): Node {
    const items: Node[] = [];
    while (at < tokens.length && tokens[at] !== ']') {
      items.push(value());
      if (tokens[at] === ',') at++;
    }
    at++;
    return { kind: 'list', items };
  }

  return value();
}
