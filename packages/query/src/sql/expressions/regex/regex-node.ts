import type { CodeRange } from './code-ranges.ts';

/** A regular expression of PostgreSQL. */
export type RegexNode =
  | { readonly type: 'set'; readonly ranges: readonly CodeRange[] }
  | { readonly type: 'sequence'; readonly items: readonly RegexNode[] }
  | { readonly type: 'either'; readonly options: readonly RegexNode[] }
  | {
      readonly type: 'repeat';
      readonly item: RegexNode;
      readonly min: number;
      readonly max: number | null;
      readonly lazy: boolean;
    }
  | { readonly type: 'anchor'; readonly end: boolean }
  /** A capturing group. */
  | { readonly type: 'group'; readonly item: RegexNode };

/** Whether the expression matches the empty text. */
export function isNullable(node: RegexNode): boolean {
  switch (node.type) {
    case 'set':
      return false;
    case 'anchor':
      return true;
    case 'sequence':
      return node.items.every(isNullable);
    case 'either':
      return node.options.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.item);
    case 'group':
      return isNullable(node.item);
  }
}

/** For each capturing group, whether it takes part in every match. */
export function listCaptureGroups(node: RegexNode, certain = true): readonly boolean[] {
  switch (node.type) {
    case 'set':
    case 'anchor':
      return [];
    case 'sequence':
      return node.items.flatMap((item) => listCaptureGroups(item, certain));
    case 'either':
      return node.options.flatMap((option) => listCaptureGroups(option, false));
    case 'repeat':
      return listCaptureGroups(node.item, certain && node.min > 0);
    case 'group':
      return [certain, ...listCaptureGroups(node.item, certain)];
  }
}
