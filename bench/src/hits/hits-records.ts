import { below, createRandom, pick } from '../data/random.ts';
import { createVocabulary } from '../data/vocabulary.ts';
import { tierOf, type HitsLabels } from './hits-labels.ts';

/** The fields of a hit, each with the kind of its values. */
export const hitsFields = {
  WatchID: 'whole',
  EventTime: 'time',
  EventDate: 'day',
  CounterID: 'whole',
  ClientIP: 'whole',
  RegionID: 'whole',
  UserID: 'whole',
  URL: 'text',
  Referer: 'text',
  Title: 'text',
  SearchPhrase: 'text',
  SearchEngineID: 'whole',
  AdvEngineID: 'whole',
  TraficSourceID: 'whole',
  MobilePhone: 'whole',
  MobilePhoneModel: 'text',
  ResolutionWidth: 'whole',
  WindowClientWidth: 'whole',
  IsRefresh: 'whole',
  DontCountHits: 'whole',
} as const;

export type HitsField = keyof typeof hitsFields;
export type HitsKind = (typeof hitsFields)[HitsField];

const words = createVocabulary(20_000);
const counters = createVocabulary(2000);
const regions = createVocabulary(1500);
const pages = createVocabulary(60_000);
const phones = ['iPhone 2', 'Nokia 3310', 'Galaxy S', 'iPad', 'Xperia', 'Lumia 800', 'Desire HD', 'One X'];
const widths = [1024, 1280, 1366, 1440, 1600, 1638, 1750, 1920, 1996, 2560];
const monthStart = Date.UTC(2013, 6, 1);
const monthSeconds = 31 * 86_400;
/** Average number of hits per person. */
const hitsPerPerson = 6;

/** Spreads integers over 50 bits, which JSON numbers represent exactly. */
function spread(value: number): number {
  let mixed = (value + 0x9e3779b9) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97) >>> 0;
  return mixed * 262_144 + (value & 262_143);
}

const peopleOf = (records: number): number => Math.max(1, Math.floor(records / hitsPerPerson));

/** The `UserID` of a person with a few of the records. */
export const sampleUserId = (records: number): number => spread(Math.floor(peopleOf(records) / 2));

/**
 * Generates records with the fields of the table `hits` of a web analytics service. They are the same in each run,
 * ordered by time, and have about 480 bytes. The label of a record belongs to the tier that `tierOf` gives for its
 * index.
 */
export function* hitsRecords(count: number, labels: HitsLabels): Generator<string> {
  const random = createRandom(2_013_07);
  const people = peopleOf(count);
  const word = (): string => words.words[words.draw(random)] ?? '';
  const phrase = (length: number): string => Array.from({ length }, word).join(' ');
  const chance = (share: number): boolean => random() < share;

  for (let index = 0; index < count; index++) {
    const counter = counters.draw(random);
    const person = Math.floor(people * random() ** 2);
    const seconds = Math.floor(((index + random()) / count) * monthSeconds);
    const time = new Date(monthStart + seconds * 1000).toISOString();
    const page = pages.draw(random);
    const google = chance(0.01);
    const host = google ? 'www.google.com' : `${chance(0.5) ? 'www.' : ''}site${counter % 700}.example`;
    const searched = chance(0.13);
    const refererHost = chance(0.3) ? 'www.google.com' : `site${counters.draw(random) % 300}.example`;
    const mobile = chance(0.08);
    const referer = chance(0.2) ? '' : `http://${refererHost}/${word()}/${pages.draw(random)}`;
    const title = `${google ? 'Google ' : ''}${words.words[page % words.words.length] ?? ''} ${phrase(4)}`;
    const label = pick(random, labels.tiers[tierOf(index)]);
    yield (
      `{"WatchID":${spread(index)},"EventTime":"${time.slice(0, 19)}Z","EventDate":"${time.slice(0, 10)}"` +
      `,"CounterID":${62 + counter * 7},"ClientIP":${spread(person + 77) % 4_294_967_296},"RegionID":${1 + regions.draw(random)}` +
      `,"UserID":${spread(person)},"URL":"http://${host}/${counter}/${page}","Referer":"${referer}","Title":"${title}"` +
      `,"SearchPhrase":"${searched ? phrase(1 + below(random, 3)) : ''}","SearchEngineID":${searched ? 1 + below(random, 12) : 0}` +
      `,"AdvEngineID":${chance(0.03) ? 1 + below(random, 18) : 0},"TraficSourceID":${below(random, 10) - 1}` +
      `,"MobilePhone":${mobile ? 1 + below(random, 6) : 0},"MobilePhoneModel":"${mobile ? pick(random, phones) : ''}"` +
      `,"ResolutionWidth":${pick(random, widths)},"WindowClientWidth":${400 + below(random, 1500)}` +
      `,"IsRefresh":${chance(0.1) ? 1 : 0},"DontCountHits":${chance(0.05) ? 1 : 0},"label":"${label}"}`
    );
  }
}

/** Groups records into batches; keeps only one batch in memory. */
export function* batchesOf<Batch>(
  records: Iterable<string>,
  batchSize: number,
  toBatch: (records: readonly string[]) => Batch,
): Generator<Batch> {
  let batch: string[] = [];
  for (const record of records) {
    batch.push(record);
    if (batch.length < batchSize) continue;
    yield toBatch(batch);
    batch = [];
  }
  if (batch.length > 0) yield toBatch(batch);
}
