/** The marks of an answer of HTTP/1.1. */
export const endOfHead = '\r\n\r\n';
export const endOfChunks = '\r\n0\r\n\r\n';

/** How long the body is, as a head says it; an answer without that comes in chunks, but for 204, which has no body. */
export function lengthIn(head: string): number | undefined {
  if (head.startsWith('HTTP/1.1 204 ')) return 0;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
  return length === undefined ? undefined : Number(length);
}
