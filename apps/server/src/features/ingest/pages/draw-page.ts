import { strictObject } from '@redoubt/contract';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { fileURLToPath } from 'node:url';
import type { ParserHost } from '../parser/start-parser.ts';
import type { PageTask } from './page-messages.ts';
import { runPageProgram } from './run-page-program.ts';

const pixels = Type.Integer({ minimum: 0, maximum: 100_000 });

export const PageWords = Type.Array(
  strictObject({
    text: Type.String({ maxLength: 10_000 }),
    box: Type.Tuple([Type.Integer(), Type.Integer(), pixels, pixels]),
  }),
  { maxItems: 500_000 },
);

/** A process reads hostile bytes, so its answer is checked. */
const DrawnPageSchema = strictObject({
  width: pixels,
  height: pixels,
  jpeg: Type.String(),
  words: PageWords,
});

export interface PagePicture extends Omit<Static<typeof DrawnPageSchema>, 'jpeg'> {
  jpeg: Buffer;
}

const program = fileURLToPath(new URL('./page-worker.ts', import.meta.url));
const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * Draws a page of a file in a process of its own.
 * @returns undefined if it has no such page, or the page cannot be drawn
 */
export const drawPageOf = async (
  host: ParserHost,
  descriptor: number,
  task: PageTask,
  signal: AbortSignal,
): Promise<PagePicture | undefined> => {
  try {
    const output = await runPageProgram(host, program, { descriptor, task, signal });
    const drawn: unknown = output === undefined ? null : JSON.parse(output.toString('utf8'));
    if (!Value.Check(DrawnPageSchema, drawn)) return undefined;
    const jpeg = Buffer.from(drawn.jpeg, 'base64');
    return jpeg.subarray(0, jpegStart.length).equals(jpegStart) ? { ...drawn, jpeg } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
