/** Delimiters of an HTTP/1.1 response. */
export const endOfHead = '\r\n\r\n';
export const endOfChunks = '\r\n0\r\n\r\n';

/** The content length in a response head; undefined for a chunked response. A 204 has no body. */
export function lengthIn(head: string): number | undefined {
  if (head.startsWith('HTTP/1.1 204 ')) return 0;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
  return length === undefined ? undefined : Number(length);
}
