import { setImmediate } from 'node:timers/promises';
import { below, createRandom, pick } from './random.ts';
import type { LabelSet } from './label-sets.ts';
import { createVocabulary } from './vocabulary.ts';

const firstNames = [
  'Astrid', 'Bruno', 'Chiara', 'Dmitri', 'Elif', 'Farah', 'Goran', 'Hanna', 'Ivo', 'Jamila', 'Kenji', 'Lucia',
  'Mateus', 'Nadia', 'Oskar', 'Priya', 'Quentin', 'Rosa', 'Stefan', 'Thandi', 'Ulla', 'Viktor', 'Wanda', 'Yusuf',
]; // prettier-ignore
const lastNames = [
  'Almeida', 'Bergman', 'Costa', 'Dubois', 'Eriksen', 'Fischer', 'Garcia', 'Horvat', 'Ivanova', 'Jansen', 'Kowalski',
  'Lindqvist', 'Moretti', 'Novak', 'Okafor', 'Petrov', 'Rossi', 'Schmidt', 'Tanaka', 'Usman', 'Vargas', 'Weber',
]; // prettier-ignore
const cities = [
  'Amsterdam', 'Athens', 'Barcelona', 'Belgrade', 'Berlin', 'Bogota', 'Brussels', 'Cairo', 'Copenhagen', 'Dakar',
  'Dublin', 'Edinburgh', 'Geneva', 'Hamburg', 'Helsinki', 'Istanbul', 'Jakarta', 'Krakow', 'Kyoto', 'Lagos',
  'Lisbon', 'London', 'Madrid', 'Manila', 'Milan', 'Montreal', 'Mumbai', 'Munich', 'Nairobi', 'Oslo', 'Paris',
  'Porto', 'Prague', 'Quito', 'Riga', 'Rome', 'Santiago', 'Seattle', 'Seoul', 'Sofia', 'Stockholm', 'Sydney',
  'Tallinn', 'Tokyo', 'Toronto', 'Turin', 'Vienna', 'Vilnius', 'Warsaw', 'Zurich',
]; // prettier-ignore
const streets = ['Elm Row', 'Mill Lane', 'High Street', 'Station Road', 'Park Avenue', 'Church Walk'];
const tags = ['red', 'blue', 'green', 'amber', 'urgent', 'draft', 'signed', 'sealed'];

const vocabulary = createVocabulary(30_000);
const wordsInText = 8;
const dayMilliseconds = 86_400_000;
/** The first value of the field `id`. */
const firstId = 1_000_000;
const firstDay = Date.UTC(2015, 0, 1);

/** Records in batches, and the frequency of each word in their field `text`. */
export interface GeneratedRecords<Batch> {
  readonly count: number;
  readonly batches: readonly Batch[];
  /** The number of records whose `text` contains each word. */
  readonly holders: ReadonlyMap<string, number>;
  /** The bytes of all records, without the rest of the write bodies. */
  readonly bytes: number;
}

interface GenerateOptions<Batch> {
  count: number;
  batchSize: number;
  labelSet: LabelSet;
  /** Converts a batch from the JSON texts of its records. */
  toBatch: (records: string[]) => Batch;
}

const digits = (value: number, count: number): string => String(value).padStart(count, '0');

/** Generates records of about 240 bytes, the same in each run: people with a place, amounts, a date and a note. */
export async function generateRecords<Batch>(
  options: GenerateOptions<Batch>,
): Promise<GeneratedRecords<Batch>> {
  const { count, batchSize, labelSet, toBatch } = options;
  const random = createRandom(2_400_101);
  const counts = new Uint32Array(vocabulary.words.length);
  const batches: Batch[] = [];
  let bytes = 0;

  const drawText = (): string => {
    const ranks = new Set<number>();
    for (let word = 0; word < wordsInText; word++) ranks.add(vocabulary.draw(random));
    const words: string[] = [];
    for (const rank of ranks) {
      counts[rank] = (counts[rank] ?? 0) + 1;
      words.push(vocabulary.words[rank] ?? '');
    }
    return words.join(' ');
  };

  const drawRecord = (id: number): string => {
    const date = new Date(firstDay + below(random, 4000) * dayMilliseconds).toISOString().slice(0, 10);
    return (
      `{"id":${id},"name":"${pick(random, firstNames)} ${pick(random, lastNames)}","city":"${pick(random, cities)}"` +
      `,"text":"${drawText()}","age":${18 + below(random, 72)},"amount":${(random() * 10_000).toFixed(2)}` +
      `,"date":"${date}","tags":["${pick(random, tags)}","${pick(random, tags)}"]` +
      `,"address":{"street":"${1 + below(random, 200)} ${pick(random, streets)}","zip":"${digits(below(random, 100_000), 5)}"}` +
      `,"label":"${pick(random, labelSet.labels).text}"}`
    );
  };

  for (let from = 0; from < count; from += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, count - from) }, (_, index) =>
      drawRecord(firstId + from + index),
    );
    for (const record of batch) bytes += record.length;
    batches.push(toBatch(batch));
    // Generating millions of records takes minutes. Let the event loop notice that servers close idle connections
    // meanwhile.
    await setImmediate();
  }
  const holders = new Map<string, number>();
  for (const [rank, holding] of counts.entries()) holders.set(vocabulary.words[rank] ?? '', holding);
  return { count, batches, holders, bytes };
}

/** The word whose number of records with it in `text` is closest to `wanted`. */
export function findWordByFrequency(
  records: Pick<GeneratedRecords<unknown>, 'holders'>,
  wanted: number,
): string {
  let best = '';
  let distance = Infinity;
  for (const [word, holding] of records.holders) {
    if (holding === 0 || Math.abs(holding - wanted) >= distance) continue;
    best = word;
    distance = Math.abs(holding - wanted);
  }
  return best;
}
