import type { FastifyRequest } from 'fastify';

/** The value of a cookie of the request; '' if there is none. */
export const readCookie = ({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string =>
  (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';
