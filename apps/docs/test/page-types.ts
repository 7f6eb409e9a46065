/** One page of each kind of the site, with the name of its pictures. */
export const pageTypes: readonly (readonly [name: string, path: string])[] = [
  ['home', '/'],
  ['intro', '/docs/intro/'],
  ['doc', '/docs/quickstart/sign-up/'],
  ['reference', '/docs/reference/sql/'],
  ['category', '/docs/category/quickstart/'],
  ['api', '/api/'],
  ['search', '/search/?q=label'],
  ['generic', '/markdown-page/'],
  ['not-found', '/docs/no-such-page/'],
];
