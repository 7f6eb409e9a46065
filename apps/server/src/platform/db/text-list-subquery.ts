import { sql, type RawBuilder } from 'kysely';

/** A subquery of these texts, however many: a list of parameters has a bound, a text of JSON has none. */
export const textListSubquery = (texts: readonly string[]): RawBuilder<string> =>
  sql<string>`(select jsonb_array_elements_text(${JSON.stringify(texts)}::text::jsonb))`;
