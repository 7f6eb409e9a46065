import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The paths of the site's pages. Before the site is built, requests for them get "being built" instead of "not found".
 */
const pages = /^\/((docs|api)(\/.*)?|search\/?|markdown-page\/?)?$/;

export const isPageOfSite = (pathname: string): boolean => pages.test(pathname);

/** After how many seconds a browser reloads the page. */
const retryAfterSeconds = 5;

interface BuildingPage {
  /** What is being built, as the subject of a sentence without its article: `documentation`. */
  subject: string;
  /** How long that takes after the first start. */
  duration: string;
  script: string;
  more?: string;
}

/** A page that is served until a site is built. It reloads itself. */
const renderBuildingPage = ({
  subject,
  duration,
  script,
  more = '',
}: BuildingPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${retryAfterSeconds}">
<title>The ${subject} is being built</title>
<style>body { font: 14px/1.5 Roboto, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 16px; }</style>
</head>
<body>
<h1>The ${subject} is being built</h1>
<p>The server is running. After the first start it takes ${duration} to build the ${subject}. This page reloads
automatically.</p>
<p>If the ${subject} doesn’t appear, run <code>npm run ${script}</code> and read its output.${more}</p>
</body>
</html>
`;

export const siteBuildingPage = renderBuildingPage({
  subject: 'documentation',
  duration: 'about a minute',
  script: 'docs:build',
  more: ' The API is described at\n<a href="/openapi.json">/openapi.json</a>.',
});

export const consoleBuildingPage = renderBuildingPage({
  subject: 'console',
  duration: 'a few seconds',
  script: 'web:build',
});

export const sendBuildingPage = (page: string, request: FastifyRequest, reply: FastifyReply): void => {
  void reply
    .code(503)
    .header('retry-after', retryAfterSeconds)
    .type('text/html; charset=utf-8')
    .send(request.method === 'HEAD' ? undefined : page);
};
