import type { FastifyRequest } from 'fastify';

/** The User-Agent of the generated Python client that is published with the connector. */
const userAgent = /^OpenAPI-Generator\/[^/]+\/python\b/;

/** Whether the request comes from the generated Python client, which fails on some responses of the contract. */
export const isGeneratedPython = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  userAgent.test(headers['user-agent'] ?? '');
