import { sql, type RawBuilder } from 'kysely';

/**
 * A subquery that returns these texts. It takes them as one JSON parameter, since the number of parameters is limited.
 */
export const textListSubquery = (texts: readonly string[]): RawBuilder<string> =>
  sql<string>`(select jsonb_array_elements_text(${JSON.stringify(texts)}::text::jsonb))`;
