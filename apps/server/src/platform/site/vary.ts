import type { FastifyReply } from 'fastify';

/** Says that the answer depends on this header of the request, beside what is said of others already. */
export const addVary = (reply: FastifyReply, name: string): void => {
  const said = reply.getHeader('vary');
  void reply.header('vary', said === undefined ? name : `${String(said)}, ${name}`);
};
