/** Who asks, what they hold, and what one search over the demo data answers to them. */
interface Reader {
  readonly name: string;
  readonly role: string;
  readonly holds: readonly string[];
  readonly found: readonly (readonly [ident: string, name: string, country: string, label: string])[];
}

/** The search, in Lucene, over the dataset of radio navigation aids. */
export const search = 'name:london';

/** The people of the demo; a test looks their answers up in its data. */
export const readers: readonly Reader[] = [
  {
    name: 'Ada',
    role: 'analyst',
    holds: ['REGION:EU', 'REGION:AF'],
    found: [
      ['ELV', 'East London', 'ZA', 'REGION:AF'],
      ['LON', 'London', 'GB', 'REGION:EU'],
    ],
  },
  {
    name: 'Ben',
    role: 'analyst',
    holds: ['REGION:NA', 'REGION:SA'],
    found: [
      ['LOZ', 'London', 'US', 'REGION:NA'],
      ['UYF', 'London', 'US', 'REGION:NA'],
      ['YXU', 'London', 'CA', 'REGION:NA'],
    ],
  },
  { name: 'Alex', role: 'administrator', holds: [], found: [] },
];
