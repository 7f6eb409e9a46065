/** Where the site has pages, so that somebody who comes before it is built is not told that there is nothing. */
const pages = /^\/((docs|api)(\/.*)?|search\/?|markdown-page\/?)?$/;

export const isPageOfSite = (pathname: string): boolean => pages.test(pathname);

/** How long a browser waits before it looks again, in seconds. */
export const retryAfterSeconds = 5;

/** What stands where the site will be. */
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
<h1>The documentation is not there yet</h1>
<p>The server runs. After the first start its documentation is built, which takes about a minute; this page looks again by
itself.</p>
<p>If it does not come, run <code>npm run docs:build</code> and read what that says. The API is described at
<a href="/openapi.json">/openapi.json</a>.</p>
</body>
</html>
`;
