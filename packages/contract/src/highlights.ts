import { Type } from 'typebox';
import { strictObject } from './core/fields.ts';

/** The maximum number of records of a search with highlights. */
export const maxHighlightedRecords = 100;

/** The maximum number of highlighted places of a record. */
export const maxHighlightPlaces = 100;

export const highlight = Type.Optional(
  Type.Boolean({
    default: false,
    description: `If true, the response has highlights: for each record, the places that matched. limit is then at most ${maxHighlightedRecords}, and the response is JSON.`,
  }),
);

const HighlightPlace = strictObject(
  {
    field: Type.String({ description: 'The field as in searches: `outer.inner`.' }),
    path: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
      description: 'Where the value is in the record: the keys of objects, and the indexes of lists.',
    }),
    offset: Type.Integer({
      description:
        'Where the place begins, in UTF-16 code units of the text of the value. For a number or a boolean, its text in the record.',
    }),
    length: Type.Integer({ description: 'The length of the place, in UTF-16 code units.' }),
  },
  { title: 'HighlightPlace' },
);

export const RecordHighlights = strictObject(
  {
    places: Type.Array(HighlightPlace, {
      description: `At most ${maxHighlightPlaces} places, which do not overlap. Clauses that do not match, negated ones and tests for the existence of a field have none.`,
    }),
    complete: Type.Boolean({
      description:
        'False if there may be more places: the record has too many or is too large, or the search is too expensive.',
    }),
  },
  { title: 'RecordHighlights' },
);

/** The highlights of a response, which it has if the request asks for them. */
export const highlights = Type.Optional(
  Type.Array(RecordHighlights, {
    description: 'The places that matched, for each of records in its order. Only with highlight.',
  }),
);
