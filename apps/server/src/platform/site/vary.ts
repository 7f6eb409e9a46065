import type { FastifyReply } from 'fastify';

/** Adds a request header to the response header Vary. */
export const addVary = (reply: FastifyReply, name: string): void => {
  const existing = reply.getHeader('vary');
  void reply.header('vary', existing === undefined ? name : `${String(existing)}, ${name}`);
};
