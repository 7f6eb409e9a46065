/** A person of the demo with their attributes. */
export interface Person {
  readonly name: string;
  readonly role: string;
  readonly holds: readonly string[];
}

/** The number of records that a person finds, and the first of them: identifier, name, country and label. */
export interface Answer {
  readonly total: number;
  readonly rows: readonly (readonly string[])[];
}

interface Search {
  readonly query: string;
  readonly answers: readonly Answer[];
}

/** In the order of the recorded responses. */
export const people: readonly Person[] = [
  { name: 'Ada', role: 'analyst', holds: ['REGION:EU', 'REGION:AF'] },
  { name: 'Ben', role: 'analyst', holds: ['REGION:NA', 'REGION:SA'] },
  { name: 'Alex', role: 'administrator', holds: [] },
];

export const firstSearch = 'name:london';

/** The searches with a button. All others are found by typing. */
export const suggested: readonly string[] = [
  firstSearch,
  'name:lon*',
  'type:TACAN',
  'iso_country:KE',
  'type:VOR AND elevation_ft:[6000 TO *]',
];

const plain = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** A single word is searched in names, as most readers expect. */
export const findSearch = <Recorded extends Search>(
  searches: readonly Recorded[],
  text: string,
): Recorded | undefined => {
  const asked = plain(text);
  return searches.find(({ query }) => [asked, `name:${asked}`].includes(plain(query)));
};
