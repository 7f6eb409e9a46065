export { createSite, openSite, type Site } from './site.ts';
export { prefersHtml } from './prefers-html.ts';
export { serveConsole } from './console-routes.ts';
export { isOfSite, serveSite, siteLabel } from './site-routes.ts';
