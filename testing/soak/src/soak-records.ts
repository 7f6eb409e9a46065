/** Words of records: few enough that searches match several records, many enough to fill an index. */
const words = Array.from({ length: 5000 }, (_, index) => `w${(index * 7919) % 100_003}`);
const labels = ['', 'A', 'B', 'A&B', 'A|B'];

const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

export const anyWord = (): string => anyOf(words);

const text = (length: number): string => Array.from({ length }, anyWord).join(' ');

/** A record of about 400 bytes. */
export const smallRecord = (batch: string, index: number): Record<string, unknown> => ({
  batch,
  index,
  label: anyOf(labels),
  city: anyOf(['Oslo', 'Lima', 'Accra', 'Kyoto', 'Perth']),
  score: Math.random() * 1000,
  count: Math.floor(Math.random() * 100),
  tags: [anyWord(), anyWord()],
  address: { zip: String(10_000 + (index % 900)), street: text(3) },
  note: text(30),
});

/** A record whose text has about `bytes` bytes. */
export const largeRecord = (batch: string, bytes: number): Record<string, unknown> => ({
  batch,
  label: anyOf(labels),
  count: Math.floor(Math.random() * 100),
  text: text(Math.ceil(bytes / 6.6)),
});

/** A CSV file of small records. */
export const fileOf = (rows: number): string =>
  `index,city,score,note\n${Array.from({ length: rows }, (_, index) => `${index},Oslo,${Math.random()},${text(12)}`).join('\n')}\n`;
