import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { consoleBuildingPage, sendBuildingPage } from './building-page.ts';
import { consolePolicy } from './page-policy.ts';
import { prefersHtml } from './prefers-html.ts';
import { sendSiteFile } from './send-site-file.ts';
import type { Site } from './site.ts';
import { siteLabel } from './site-routes.ts';
import { addVary } from './vary.ts';

const prefix = '/app';
const indexPage = 'index.html';

/** Pages of the console outside `/app/`: the sign-in page and the targets of links in mails. */
const entryPages = ['/login', '/reset-password', '/verify-email', '/change-email'];

/** The file below the prefix that a request names; every page of the console is the same file. */
const fileOf = (url: string): string => {
  const path = (url.split('?')[0] ?? '').replace(/^\/app\//, '');
  return path.startsWith('assets/') ? path : indexPage;
};

/**
 * Serves the console. Its assets are files with hashed names. Any other path below `/app/` gets the same page, and the
 * application decides in the browser what to show. The entry pages share their names with the API, so programs that
 * request one get the JSON error of an unknown route.
 * @param respondUnknown sends that error
 */
export const serveConsole = (
  app: FastifyInstance,
  site: Site,
  respondUnknown: (request: FastifyRequest, reply: FastifyReply) => void,
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
    const isPage = file === indexPage;
    const isEntry = !request.url.startsWith(prefix);
    if (isEntry) addVary(reply, 'Accept');
    if (isEntry && !prefersHtml(request.headers.accept)) {
      respondUnknown(request, reply);
      return reply;
    }
    const manifest = site.current();
    if (manifest === undefined && isPage) {
      sendBuildingPage(consoleBuildingPage, request, reply);
      return reply;
    }
    const wasSent =
      manifest !== undefined &&
      (await sendSiteFile(
        { folder: site.folder, manifest, file, status: 200, policy: consolePolicy },
        request,
        reply,
      ));
    if (!wasSent) respondUnknown(request, reply);
    return reply;
  };
  for (const url of entryPages) app.route({ method, url, exposeHeadRoute: false, config, handler: sendPage });
  app.route({ method, url: `${prefix}/*`, exposeHeadRoute: false, config, handler: sendPage });
};
