import { badRequest, tooLarge, type RedoubtError } from '@redoubt/errors';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const toError = (code: string | undefined, requestSeconds: number): RedoubtError => {
  if (code === 'HPE_HEADER_OVERFLOW')
    return tooLarge(
      'The headers and the path must have at most 16384 bytes together, got more. Send fewer or shorter headers.',
    );
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return badRequest(`The request did not arrive within ${requestSeconds} s. Send it faster, or in parts.`);
  return badRequest('The request must be valid HTTP/1.1, got something else. Use an HTTP client.');
};

/** Sends an error of the catalogue for input that never became a request, and closes the connection. */
export const sendUnreadableRequestError =
  (requestSeconds: number) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const response = toError(error.code, requestSeconds);
    const body = JSON.stringify(response.toWire());
    socket.end(
      [
        `HTTP/1.1 ${response.code} ${STATUS_CODES[response.code] ?? ''}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Cache-Control: no-store',
        'X-Content-Type-Options: nosniff',
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  };
