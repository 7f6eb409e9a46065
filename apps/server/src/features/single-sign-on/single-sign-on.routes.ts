import { routes } from '@redoubt/contract';
import type { FastifyReply } from 'fastify';
import { bindPublic, type RouteBinding } from '../../platform/http/binding.ts';
import type { BrowserSignIn, BrowserRedirect } from './browser-sign-in.ts';

const sendOn = (reply: FastifyReply, { location, cookies }: BrowserRedirect): { location: string } => {
  // The previous address contains secrets, which must not reach a log through the Referer header.
  void reply.header('location', location).header('referrer-policy', 'no-referrer');
  for (const cookie of cookies) void reply.header('set-cookie', cookie);
  return { location };
};

export const createSingleSignOnRoutes = (browser: BrowserSignIn): RouteBinding[] => [
  bindPublic(routes.beginSingleSignOn, async ({ params, query, reply }) =>
    sendOn(reply, await browser.begin(params.provider, query)),
  ),
  bindPublic(routes.finishSingleSignOn, async ({ params, query, request, reply }) =>
    sendOn(reply, await browser.finish(params.provider, query, request.headers.cookie)),
  ),
];
