import type { Static, TSchema } from 'typebox';
import type { ListDescriptor } from './list.ts';

/** A value that the field must equal, or comparisons that must all match. */
export type Filter<T> =
  | T
  | { $ne?: T; $lt?: T; $lte?: T; $gt?: T; $gte?: T; $in?: readonly T[]; $nin?: readonly T[] };

type FieldOf<L extends ListDescriptor> = L['filters'][number];
type EntityOf<L extends ListDescriptor> = Static<L['entity']>;
type ExtrasOf<L extends ListDescriptor> = L extends { extraFilters: infer E extends Record<string, TSchema> }
  ? E
  : {};

type FiltersOf<L extends ListDescriptor> = {
  [F in FieldOf<L>]?: F extends keyof EntityOf<L> ? Filter<Exclude<EntityOf<L>[F], undefined>> : never;
} & { [F in keyof ExtrasOf<L>]?: ExtrasOf<L>[F] extends TSchema ? Filter<Static<ExtrasOf<L>[F]>> : never };

/** The query string of a paginated list, as a client passes it. */
export type ListInput<L extends ListDescriptor> = FiltersOf<L> & {
  /** Entries per page: 10 by default, -1 for all, 0 for only the total. */
  $limit?: number;
  $skip?: number;
  /** The first key sorts first. */
  $sort?: { [F in FieldOf<L>]?: 1 | -1 };
  /** Groups of filters; at least one group must match. */
  $or?: readonly FiltersOf<L>[];
};
