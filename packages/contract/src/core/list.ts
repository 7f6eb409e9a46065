import { Type, type TObject, type TSchema } from 'typebox';

/** Which fields a paginated list can be filtered and sorted by. */
export interface ListDescriptor {
  /** The schema of the entries. Its properties give the filters their types. */
  entity: TObject;
  /** Fields of the entity that support `field=value`, `field[$in]=…` and `$sort[field]`. */
  filters: readonly string[];
  /** Further filters with their types. They need not be fields of the entity, and the list cannot be sorted by them. */
  extraFilters?: Readonly<Record<string, TSchema>>;
}

export const filterOperators = ['$ne', '$lt', '$lte', '$gt', '$gte', '$in', '$nin'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** Entries per page if `$limit` is absent. */
export const defaultPageSize = 10;
/** The value of `$limit` for all entries. */
export const noLimit = -1;

/** The schema of one page of a list. If the entity has a title, the page has one too: `User` gives `UserPage`. */
export const toPageSchema = <T extends TSchema>(entity: T) =>
  Type.Object(
    {
      total: Type.Integer({ minimum: 0, description: 'How many entries match and are visible to you.' }),
      limit: Type.Integer({ minimum: -1, description: 'The limit that was applied; -1 means no limit.' }),
      skip: Type.Integer({ minimum: 0, description: 'How many entries were skipped before this page.' }),
      data: Type.Array(entity),
    },
    { additionalProperties: false, ...('title' in entity ? { title: `${String(entity.title)}Page` } : {}) },
  );
