import { gzipSync } from 'node:zlib';
import { makeTar, makeZip } from './make-archives.ts';

/** Chooses a mutation: returns an integer from 0 to below `below`. */
export type ChooseNumber = (below: number) => number;

/** A file that is damaged in one of the ways that hostile files are. */
export interface HostileFile {
  readonly name: string;
  readonly content: Uint8Array;
  /** A description of the mutation. */
  readonly mutation: string;
}

const lies = [0, 0xff, 0x7f, 0x80, 0xfe];

const copyOf = (content: Uint8Array): Buffer => Buffer.from(content);

/** Offsets near the end are more likely, because most binary formats keep their metadata there. */
const placeIn = (content: Uint8Array, choose: ChooseNumber): number => {
  if (content.length === 0) return 0;
  if (choose(2) === 0) return choose(content.length);
  return Math.max(0, content.length - 1 - choose(Math.min(content.length, 4000)));
};

type Mutation = (content: Uint8Array, choose: ChooseNumber) => Uint8Array;

const mutations: Readonly<Record<string, Mutation>> = {
  'cut off': (content, choose) => content.subarray(0, choose(content.length)),
  'cut off a little': (content, choose) => content.subarray(0, Math.max(0, content.length - 1 - choose(40))),
  'without its beginning': (content, choose) => content.subarray(choose(Math.min(content.length, 100))),
  'with flipped bits': (content, choose) => {
    const bytes = copyOf(content);
    for (let left = 1 + choose(8); left > 0; left--) {
      const place = placeIn(bytes, choose);
      bytes[place] = (bytes[place] ?? 0) ^ (1 << choose(8));
    }
    return bytes;
  },
  'with a lying number': (content, choose) => {
    const bytes = copyOf(content);
    const place = placeIn(bytes, choose);
    bytes.fill(lies[choose(lies.length)] ?? 0, place, Math.min(bytes.length, place + 1 + choose(8)));
    return bytes;
  },
  'with a part twice': (content, choose) => {
    const from = choose(content.length);
    const part = content.subarray(from, from + choose(2000));
    return Buffer.concat([content.subarray(0, from), part, content.subarray(from)]);
  },
  'without a part': (content, choose) => {
    const from = choose(content.length);
    return Buffer.concat([content.subarray(0, from), content.subarray(from + 1 + choose(200))]);
  },
  'with bytes of its own elsewhere': (content, choose) => {
    const bytes = copyOf(content);
    const from = choose(bytes.length);
    bytes.copy(bytes, placeIn(bytes, choose), from, from + choose(64));
    return bytes;
  },
};

const nested = (open: string, close: string, depth: number): Buffer =>
  Buffer.from(open.repeat(depth) + close.repeat(depth));

/** Files that are hostile as they are. */
const whole: readonly (() => Promise<HostileFile> | HostileFile)[] = [
  () => ({ name: 'deep.json', content: nested('[{"a":', '1}]', 200_000), mutation: 'nested deep' }),
  () => ({ name: 'deep.xml', content: nested('<a>', '</a>', 100_000), mutation: 'nested deep' }),
  () => ({ name: 'deep.yaml', content: nested('- [', ']', 20_000), mutation: 'nested deep' }),
  () => ({ name: 'deep.ndjson', content: nested('{"a":[', ']}', 100_000), mutation: 'nested deep' }),
  () => ({ name: 'bomb.csv.gz', content: gzipSync(Buffer.alloc(60_000_000, 'a,b')), mutation: 'a bomb' }),
  () => ({
    name: 'bomb.json.gz',
    content: gzipSync(gzipSync(Buffer.alloc(50_000_000, '['))),
    mutation: 'a bomb in a bomb',
  }),
  async () => ({
    name: 'bomb.zip',
    content: await makeZip([{ path: 'a.csv', content: Buffer.alloc(30_000_000, 'a,b') }]),
    mutation: 'a bomb',
  }),
  async () => ({
    name: 'path.tar',
    content: await makeTar([{ path: '../../etc/passwd', content: 'a\n1\n' }]),
    mutation: 'with a path that leaves its folder',
  }),
];

/** Returns the hostile files that need no other file, in turn. */
export async function makeHostileFile(index: number): Promise<HostileFile> {
  const make = whole[index % whole.length];
  if (make === undefined) throw new Error('There is no such file.');
  return make();
}

/** Damages a file in a random way. */
export function mutateFile(name: string, content: Uint8Array, choose: ChooseNumber): HostileFile {
  const names = Object.keys(mutations);
  const mutation = names[choose(names.length)] ?? '';
  return { name, content: mutations[mutation]?.(content, choose) ?? content, mutation };
}
