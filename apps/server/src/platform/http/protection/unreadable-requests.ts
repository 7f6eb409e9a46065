import { badRequest, tooLarge, type RedoubtError } from '@redoubt/errors';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const faultOf = (code: string | undefined, requestSeconds: number): RedoubtError => {
  if (code === 'HPE_HEADER_OVERFLOW')
    return tooLarge('The headers and the path are larger than 16384 bytes together: send less of them.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return badRequest(`The request did not arrive within ${requestSeconds} s: send it faster, or in parts.`);
  return badRequest('The request is no HTTP that this server understands.');
};

/** Answers, in the words of the catalogue, what never became a request, and hangs up. */
export const sendUnreadableRequestError =
  (requestSeconds: number) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const fault = faultOf(error.code, requestSeconds);
    const body = JSON.stringify(fault.toWire());
    socket.end(
      [
        `HTTP/1.1 ${fault.code} ${STATUS_CODES[fault.code] ?? ''}`,
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
