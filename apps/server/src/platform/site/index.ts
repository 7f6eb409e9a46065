export { createSite, openSite, type Site } from './site.ts';
export { isOfSite, serveSite, siteLabel } from './site-routes.ts';
