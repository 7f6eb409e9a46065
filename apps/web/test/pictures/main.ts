import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { takePictures } from './take-pictures.ts';

/** Photographs the console with real data. Options: the folder, `--chief` for the ten chief pages alone, `--only <part of a name>,<part of another>`, `--scheme`, `--width`. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    chief: { type: 'boolean' },
    only: { type: 'string' },
    scheme: { type: 'string' },
    width: { type: 'string' },
  },
});
const folder = resolve(positionals[0] ?? 'screenshots');
const taken = await takePictures({
  folder,
  only: values.only,
  isChiefAlone: values.chief === true,
  ...(values.scheme !== undefined && { schemes: [values.scheme === 'dark' ? 'dark' : 'light'] }),
  ...(values.width !== undefined && { widths: [values.width === '390' ? 390 : 1440] }),
  onProgress: (message) => void process.stderr.write(`${message}\n`),
});
console.log(`${String(taken.length)} pictures in ${folder}`);
process.exit();
