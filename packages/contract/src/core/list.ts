import { Type, type TObject, type TSchema } from 'typebox';

/** The conventions of a paginated list: which fields of the answer may be filtered and sorted by. */
export interface ListDescriptor {
  /** The entity that the list holds; filters take their types from its properties. */
  entity: TObject;
  /** Fields of the entity that take `field=value`, `field[$in]=…` and `$sort[field]`. */
  filters: readonly string[];
  /** Fields that take filters but are no sort key or no field of the answer, with their types. */
  extraFilters?: Readonly<Record<string, TSchema>>;
}

export const filterOperators = ['$ne', '$lt', '$lte', '$gt', '$gte', '$in', '$nin'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** Entries a page when `$limit` is absent. */
export const defaultPageSize = 10;
/** `$limit=-1`: all entries. */
export const noLimit = -1;

/** A page of a list; of an entity with a title it is named after it (`UserPage`). */
export const toPageSchema = <T extends TSchema>(entity: T) =>
  Type.Object(
    {
      total: Type.Integer({ minimum: 0, description: 'Entries that match and that the caller may see.' }),
      limit: Type.Integer({ minimum: -1, description: 'The limit that was applied; -1 means none.' }),
      skip: Type.Integer({ minimum: 0, description: 'Entries passed over before the first of this page.' }),
      data: Type.Array(entity),
    },
    { additionalProperties: false, ...('title' in entity ? { title: `${String(entity.title)}Page` } : {}) },
  );
