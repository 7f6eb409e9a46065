import { findWordByFrequency, type GeneratedRecords } from './data/records.ts';

/** A search, as each contender needs it. */
export interface Search {
  name: string;
  /** For Redoubt. */
  expression: string;
  /** For the other contenders: a word in the field `text`, a word in any field, or a range of the field `amount`. */
  wanted: { kind: 'text' | 'any'; word: string } | { kind: 'amount'; from: number; to: number };
}

/** The measured searches: a rare word is in about 20 of a million records, a medium one in about 2 %. */
export function searchesOf(records: Pick<GeneratedRecords<unknown>, 'holders' | 'count'>): Search[] {
  const rare = findWordByFrequency(records, Math.max(2, records.count * 0.000_02));
  const medium = findWordByFrequency(records, records.count * 0.02);
  return [
    { name: 'rare word in a field', expression: `text:${rare}`, wanted: { kind: 'text', word: rare } },
    { name: 'medium word in a field', expression: `text:${medium}`, wanted: { kind: 'text', word: medium } },
    {
      name: 'range of 1 % over a number',
      expression: 'amount:[5000 TO 5100]',
      wanted: { kind: 'amount', from: 5000, to: 5100 },
    },
    { name: 'rare word in any field', expression: rare, wanted: { kind: 'any', word: rare } },
    { name: 'medium word in any field', expression: 'porto', wanted: { kind: 'any', word: 'porto' } },
  ];
}
