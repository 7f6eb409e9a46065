/** The paths of the site's pages: before the site is built, they answer "being built" instead of "not found". */
const pages = /^\/((docs|api)(\/.*)?|search\/?|markdown-page\/?)?$/;

export const isPageOfSite = (pathname: string): boolean => pages.test(pathname);

/** After how many seconds a browser reloads the page. */
export const retryAfterSeconds = 5;

/** The page that is served until the site is built. */
export const siteBuildingPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${retryAfterSeconds}">
<title>The documentation is being built</title>
<style>body { font: 14px/1.5 Roboto, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 16px; }</style>
</head>
<body>
<h1>The documentation is being built</h1>
<p>The server is running. After the first start it takes about a minute to build the documentation. This page reloads
automatically.</p>
<p>If the documentation doesn’t appear, run <code>npm run docs:build</code> and read its output. The API is described at
<a href="/openapi.json">/openapi.json</a>.</p>
</body>
</html>
`;
