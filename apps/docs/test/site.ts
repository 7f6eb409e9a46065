/** What the tests of the site use: a build, a host for it and a browser. */
export { builtSite, buildSite, fixtureSite, type Build, type BuildOptions } from './build.ts';
export { newContext, page, type PageOptions, type TestPage } from './chromium.ts';
export { serveSite, type ServedSite, type ServeOptions } from './serve.ts';
