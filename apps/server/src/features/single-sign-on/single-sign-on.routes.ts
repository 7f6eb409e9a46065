import { routes } from '@redoubt/contract';
import type { FastifyReply } from 'fastify';
import { bindPublic, type RouteBinding } from '../../platform/http/binding.ts';
import { prefersHtml } from '../../platform/site/index.ts';
import type { BrowserSignIn, BrowserRedirect } from './browser-sign-in.ts';
import type { GetSignInOptions } from './sign-in-options.ts';

const sendOn = (reply: FastifyReply, { location, cookies }: BrowserRedirect): { location: string } => {
  // The previous address contains secrets, which must not reach a log through the Referer header.
  void reply.header('location', location).header('referrer-policy', 'no-referrer');
  for (const cookie of cookies) void reply.header('set-cookie', cookie);
  return { location };
};

export const createSingleSignOnRoutes = (
  browser: BrowserSignIn,
  getSignInOptions: GetSignInOptions,
): RouteBinding[] => [
  bindPublic(routes.getSignInOptions, ({ query }) => getSignInOptions(query.workspaceId)),
  bindPublic(routes.beginSingleSignOn, async ({ params, query, reply }) =>
    sendOn(reply, await browser.begin(params.provider, query)),
  ),
  bindPublic(routes.finishSingleSignOn, async ({ params, query, request, reply }) =>
    sendOn(
      reply,
      await browser.finish(params.provider, query, {
        cookie: request.headers.cookie,
        showsPages: prefersHtml(request.headers.accept),
      }),
    ),
  ),
];
