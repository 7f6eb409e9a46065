import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { siteBuildingPage, isPageOfSite, retryAfterSeconds } from './building-page.ts';
import { sendSiteFile } from './send-site-file.ts';
import { prefersHtml } from './prefers-html.ts';
import { resolveSitePath, type SiteLocation } from './resolve-site-path.ts';
import type { Site } from './site.ts';
import { addVary } from './vary.ts';

/** What becomes of a request for which there is neither a call nor a page. */
export interface UnknownRouteHandler {
  /** Counts it against the limit of its address, unless that has been done. */
  count(request: FastifyRequest): void;
  /** The answer for programs. */
  answer(request: FastifyRequest, reply: FastifyReply): void;
}

/** The one name of all addresses of the site, in the log and in figures. */
export const siteLabel = 'site';

const notFoundPage = '404.html';

const splitUrl = (url: string): [pathname: string, query: string] => {
  const mark = url.indexOf('?');
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark)];
};

const placeOf = (site: Site, request: FastifyRequest): SiteLocation =>
  resolveSitePath((file) => site.current()?.files.has(file) ?? false, splitUrl(request.url)[0]);

/** Whether a request is for something that the site has. */
export const isOfSite = (site: Site, request: FastifyRequest): boolean =>
  placeOf(site, request) !== undefined;

/** Answers what nothing else answers: with a page, where a browser asks, else as programs are answered. */
const answerNothing = async (
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { count, answer }: UnknownRouteHandler,
): Promise<void> => {
  count(request);
  const orElse = (): void => answer(request, reply);
  const wantsPage = ['GET', 'HEAD'].includes(request.method) && prefersHtml(request.headers.accept);
  addVary(reply, 'Accept');
  if (!wantsPage) {
    orElse();
    return;
  }
  const manifest = site.current();
  if (manifest !== undefined) {
    const page = { folder: site.folder, manifest, file: notFoundPage, status: 404 } as const;
    if (!(await sendSiteFile(page, request, reply))) orElse();
    return;
  }
  if (!isPageOfSite(splitUrl(request.url)[0])) {
    orElse();
    return;
  }
  void reply
    .code(503)
    .header('retry-after', retryAfterSeconds)
    .type('text/html; charset=utf-8')
    .send(request.method === 'HEAD' ? undefined : siteBuildingPage);
};

/** Answers with the site what no call of the API answers. Credentials that come along are not looked at. */
export const serveSite = (app: FastifyInstance, site: Site, unknown: UnknownRouteHandler): void => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    config: { label: siteLabel },
    handler: async (request, reply) => {
      const place = placeOf(site, request);
      const manifest = site.current();
      if (place !== undefined && 'movedTo' in place) {
        const [, query] = splitUrl(request.url);
        return reply.header('cache-control', 'no-cache').redirect(`${place.movedTo}${query}`, 301);
      }
      if (place !== undefined && manifest !== undefined) {
        const found = { folder: site.folder, manifest, file: place.file, status: 200 } as const;
        if (await sendSiteFile(found, request, reply)) return reply;
      }
      await answerNothing(site, request, reply, unknown);
      return reply;
    },
  });
};
