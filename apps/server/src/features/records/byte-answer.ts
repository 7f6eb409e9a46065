import { Readable } from 'node:stream';

/**
 * Bytes as an answer. It resolves when the first are there: a fault before that is still an error answer, and one after it
 * breaks the answer off.
 */
export const byteAnswer = async (pieces: AsyncGenerator<Uint8Array>): Promise<Readable> => {
  const first = await pieces.next();
  const answer = Readable.from(pieces, { objectMode: false });
  if (first.done !== true && first.value.length > 0) answer.push(first.value);
  return answer;
};
