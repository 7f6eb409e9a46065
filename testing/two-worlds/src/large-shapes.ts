/** Members of a record, as JSON text without brackets. */
interface LargeShape {
  readonly name: string;
  readonly text: string;
}

const words = (length: number): string => `"z":"${'word '.repeat(length / 5)}"`;
const depth = 97;

/** A text that makes a record nearly as large as the limit allows. */
export const largestText = words(15_900_000);

const short: readonly LargeShape[] = [
  { name: 'a text of 8.5 MB', text: `"z":"${'v'.repeat(8_500_000)}"` },
  {
    name: 'many keys',
    text: Array.from({ length: 1500 }, (_, at) => `"k${String(at)}":${String(at)}`).join(','),
  },
  { name: 'deep lists', text: `"z":${'['.repeat(depth)}{}${']'.repeat(depth)}` },
  { name: 'deep objects', text: `"z":${'{"k":'.repeat(depth)}1${'}'.repeat(depth)}` },
];

const long: readonly LargeShape[] = [
  { name: 'a text of 1 MB', text: words(1_000_000) },
  { name: 'a text of 16 MB', text: largestText },
  { name: 'a text of quotes', text: `"z":"${String.raw`\"`.repeat(4_000_000)}"` },
  { name: 'a text of letters that are no ASCII', text: `"z":"${'é '.repeat(2_000_000)}"` },
  { name: 'a list of numbers', text: `"z":[${'1,'.repeat(200_000)}1]` },
  { name: 'a list of objects', text: `"box":[${'{"k":1},'.repeat(200_000)}{}]` },
  { name: 'a long number', text: `"z":${'1'.repeat(1_000_000)}` },
  { name: 'the same key', text: `${'"k":{},'.repeat(50_000)}"k":{}` },
];

/** The members of large records. The long list takes minutes. */
export const kindsOf = (isLong: boolean): readonly LargeShape[] => (isLong ? [...short, ...long] : short);
