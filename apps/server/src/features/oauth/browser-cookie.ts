import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie } from '../../platform/http/read-cookie.ts';
import type { Random } from '../../platform/runtime.ts';
import { oauthLifetimes } from './lifetimes.ts';

const name = 'redoubt-oauth';
const idBytes = 24;
const idForm = /^[A-Za-z0-9_-]{32}$/;

/** Returns the browser id in the cookie of the pages; '' if there is none. */
export const readBrowserId = (request: FastifyRequest): string => {
  const value = readCookie(request, name);
  return idForm.test(value) ? value : '';
};

/** Sets the browser id in a cookie for the lifetime of a page, and returns it. An existing id is kept. */
export const setBrowserId = (request: FastifyRequest, reply: FastifyReply, random: Random): string => {
  const id = readBrowserId(request) || random.bytes(idBytes).toString('base64url');
  const secure = request.protocol === 'https' ? '; Secure' : '';
  void reply.header(
    'set-cookie',
    `${name}=${id}; Path=/oauth2; Max-Age=${oauthLifetimes.page / 1000}; HttpOnly; SameSite=Strict${secure}`,
  );
  return id;
};

/** Whether the browser reports that another site sends the form. */
export const isCrossSite = ({ headers }: FastifyRequest): boolean => {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
};
