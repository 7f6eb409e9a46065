import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isPageOfSite, sendBuildingPage, siteBuildingPage } from './building-page.ts';
import { sendSiteFile } from './send-site-file.ts';
import { prefersHtml } from './prefers-html.ts';
import { resolveSitePath, type SiteLocation } from './resolve-site-path.ts';
import type { Site } from './site.ts';
import { addVary } from './vary.ts';

/** Handles requests that match neither a route of the API nor a page. */
export interface UnknownRouteHandler {
  /** Counts the request against the limit of its address, unless it was counted already. */
  count(request: FastifyRequest): void;
  /** Sends the error as JSON, for programs. */
  respond(request: FastifyRequest, reply: FastifyReply): void;
}

/** The name of all URLs of the site in the log and in metrics. */
export const siteLabel = 'site';

const notFoundPage = '404.html';

const splitUrl = (url: string): [pathname: string, query: string] => {
  const mark = url.indexOf('?');
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark)];
};

const locate = (site: Site, request: FastifyRequest): SiteLocation =>
  resolveSitePath((file) => site.current()?.files.has(file) ?? false, splitUrl(request.url)[0]);

/** Whether the site has the requested page or file. */
export const isOfSite = (site: Site, request: FastifyRequest): boolean => locate(site, request) !== undefined;

/** Handles unmatched requests: sends a page to browsers, and JSON to programs. */
const sendUnmatched = async (
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { count, respond: answer }: UnknownRouteHandler,
): Promise<void> => {
  count(request);
  const sendJson = (): void => answer(request, reply);
  const wantsPage = ['GET', 'HEAD'].includes(request.method) && prefersHtml(request.headers.accept);
  addVary(reply, 'Accept');
  if (!wantsPage) {
    sendJson();
    return;
  }
  const manifest = site.current();
  if (manifest !== undefined) {
    const page = { folder: site.folder, manifest, file: notFoundPage, status: 404 } as const;
    if (!(await sendSiteFile(page, request, reply))) sendJson();
    return;
  }
  if (!isPageOfSite(splitUrl(request.url)[0])) {
    sendJson();
    return;
  }
  sendBuildingPage(siteBuildingPage, request, reply);
};

/** Serves the site for all requests that match no route of the API. Ignores credentials. */
export const serveSite = (app: FastifyInstance, site: Site, unknown: UnknownRouteHandler): void => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    config: { label: siteLabel },
    handler: async (request, reply) => {
      const location = locate(site, request);
      const manifest = site.current();
      if (location !== undefined && 'movedTo' in location) {
        const [, query] = splitUrl(request.url);
        return reply.header('cache-control', 'no-cache').redirect(`${location.movedTo}${query}`, 301);
      }
      if (location !== undefined && manifest !== undefined) {
        const found = { folder: site.folder, manifest, file: location.file, status: 200 } as const;
        if (await sendSiteFile(found, request, reply)) return reply;
      }
      await sendUnmatched(site, request, reply, unknown);
      return reply;
    },
  });
};
