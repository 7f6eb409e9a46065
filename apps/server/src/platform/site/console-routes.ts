import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { retryAfterSeconds } from './building-page.ts';
import { consolePolicy } from './page-policy.ts';
import { prefersHtml } from './prefers-html.ts';
import { sendSiteFile } from './send-site-file.ts';
import type { Site } from './site.ts';
import { siteLabel } from './site-routes.ts';
import { addVary } from './vary.ts';

const prefix = '/app';
const indexPage = 'index.html';

const buildingPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${retryAfterSeconds}">
<title>The console is being built</title>
<style>body { font: 14px/1.5 Roboto, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 16px; }</style>
</head>
<body>
<h1>The console is being built</h1>
<p>The server runs. After the first start its console is built, which takes a few seconds; this page reloads by itself.</p>
<p>If it does not appear, run <code>npm run web:build</code> and read what that says.</p>
</body>
</html>
`;

/** The file below the prefix that a request names; every page of the console is the same file. */
const fileOf = (url: string): string => {
  const path = (url.split('?')[0] ?? '').slice(prefix.length + 1);
  return path.startsWith('assets/') ? path : indexPage;
};

const sendBuildingPage = (request: FastifyRequest, reply: FastifyReply): void => {
  void reply
    .code(503)
    .header('retry-after', retryAfterSeconds)
    .type('text/html; charset=utf-8')
    .send(request.method === 'HEAD' ? undefined : buildingPage);
};

/**
 * Serves the console. Its assets are files with hashed names; any other path below `/app/` is a page of the application,
 * which finds out in the browser what to show. Programs that ask for such a path get the JSON error of an unknown route.
 * @param answerUnknown sends that error
 */
export const serveConsole = (
  app: FastifyInstance,
  site: Site,
  answerUnknown: (request: FastifyRequest, reply: FastifyReply) => void,
): void => {
  const config = { label: siteLabel };
  const method = ['GET', 'HEAD'];
  app.route({
    method,
    url: prefix,
    exposeHeadRoute: false,
    config,
    handler: async (request, reply) => {
      if (request.url.split('?')[0] === prefix) return reply.redirect(`${prefix}/`, 301);
      return sendPage(request, reply);
    },
  });
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const file = fileOf(request.url);
    addVary(reply, 'Accept');
    const isPage = file === indexPage;
    if (isPage && !prefersHtml(request.headers.accept)) {
      answerUnknown(request, reply);
      return reply;
    }
    const manifest = site.current();
    if (manifest === undefined && isPage) {
      sendBuildingPage(request, reply);
      return reply;
    }
    const wasSent =
      manifest !== undefined &&
      (await sendSiteFile(
        { folder: site.folder, manifest, file, status: 200, policy: consolePolicy },
        request,
        reply,
      ));
    if (!wasSent) answerUnknown(request, reply);
    return reply;
  };
  app.route({ method, url: `${prefix}/*`, exposeHeadRoute: false, config, handler: sendPage });
};
