import type { ExampleServer } from './example-server.ts';

/** The searches of the home page, in Lucene, on the navigation aids of the demo. */
const homeSearches: readonly string[] = [
  'name:london',
  'name:paris',
  'name:boston',
  'name:victoria',
  'name:santiago',
  'name:saint AND type:NDB',
  'name:lon*',
  'name:"east london"',
  'type:TACAN',
  'type:VOR AND elevation_ft:[6000 TO *]',
  'type:VOR AND elevation_ft:[9000 TO *]',
  'iso_country:IS',
  'iso_country:KE',
  'NOT type:NDB AND name:lake',
  'power:HIGH AND name:cape',
  'access:"REGION:EU"',
];

/** The people of the home page. The names of their tokens are those of the examples. */
const people = ['ADA', 'BEN', 'ALEX'] as const;

/** The responses for the three people: the number of records, and the first of them by identifier. */
export interface RecordedSearch {
  readonly query: string;
  readonly answers: readonly {
    readonly total: number;
    readonly rows: readonly (readonly string[])[];
  }[];
}

const shownRows = 4;

interface Found {
  readonly total: number;
  readonly records: readonly Readonly<Record<'access' | 'ident' | 'iso_country' | 'name', string>>[];
}

/** Runs all searches of the home page as each of the three people. */
export const recordHomeSearches = async (server: ExampleServer): Promise<RecordedSearch[]> => {
  const { environment } = await server.createEnvironment('home', {
    data: true,
    people: true,
    onlyQueries: true,
  });
  const ask = async (query: string, token: string): Promise<RecordedSearch['answers'][number]> => {
    const answer = await fetch(`${server.url}/query/lucene`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ datasetId: environment['DATASET'], expression: query, limit: -1 }),
    });
    if (!answer.ok) throw new Error(`${query}: ${await answer.text()}`);
    const { total, records } = (await answer.json()) as Found;
    const rows = records
      .map(({ ident, name, iso_country, access }) => [ident, name, iso_country, access].map(String))
      .toSorted((one, other) => (one.join(' ') < other.join(' ') ? -1 : 1))
      .slice(0, shownRows);
    return { total, rows };
  };
  const recorded: RecordedSearch[] = [];
  for (const query of homeSearches) {
    const answers = [];
    for (const person of people) answers.push(await ask(query, environment[person] ?? ''));
    recorded.push({ query, answers });
  }
  return recorded;
};
