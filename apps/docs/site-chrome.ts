import type { SiteSettings } from './site-settings.ts';

type Item = Readonly<Record<string, string>>;

/** Where a link leads: to a page of the site, or elsewhere. */
function target(url: string): Item {
  return url.startsWith('/') ? { to: url } : { href: url };
}

/** The bar at the top. The search box comes by itself, at the right end. */
export function navbar({ signUpUrl, parent }: SiteSettings): object {
  return {
    title: 'Redoubt',
    logo: { alt: '', src: 'img/mark.svg', srcDark: 'img/mark-dark.svg', width: 24, height: 24 },
    items: [
      { type: 'docSidebar', sidebarId: 'docs', position: 'left', label: 'Documentation' },
      { to: '/api/', position: 'left', label: 'API' },
      { type: 'docsVersion', position: 'right', className: 'navbar-version' },
      { type: 'localeDropdown', position: 'right' },
      // It is a way out of every page, and never the place where the reader is.
      { ...target(signUpUrl), position: 'right', label: 'Sign Up', activeBaseRegex: '^$' },
      { ...target(parent.url), position: 'right', label: parent.name },
    ],
  };
}

/** The foot of every page. */
export function footer({ parent }: SiteSettings): object {
  return {
    style: 'light',
    logo: {
      alt: 'Redoubt',
      src: 'img/mark.svg',
      srcDark: 'img/mark-dark.svg',
      width: 24,
      height: 24,
      href: '/',
      target: '_self',
    },
    links: [
      {
        title: 'Start',
        items: [
          { label: 'Introduction', to: '/docs/intro/' },
          { label: 'Getting started', to: '/docs/category/getting-started/' },
          { label: 'Quickstart', to: '/docs/category/quickstart/' },
          { label: 'Questions and answers', to: '/docs/faq/' },
        ],
      },
      {
        title: 'Use',
        items: [
          { label: 'Datasets', to: '/docs/category/datasets/' },
          { label: 'API', to: '/api/' },
          { label: 'Common API usage', to: '/docs/tutorials/common-api-usage/' },
          { label: 'Error codes', to: '/docs/handling-error-codes/' },
        ],
      },
      {
        title: 'Run',
        items: [
          { label: 'Operations', to: '/docs/category/operations/' },
          { label: 'Reference', to: '/docs/category/reference/' },
          { label: 'Release notes', to: '/docs/category/release-notes/' },
          { label: parent.name, ...target(parent.url) },
        ],
      },
    ],
    copyright: 'Copyright © 2025 Redoubt',
  };
}

/** The style sheets of the site itself, and those of others. The fonts come from the site or from the service that is configured. */
export function styleSheets({ fontsUrl }: Pick<SiteSettings, 'fontsUrl'>): {
  own: string[];
  foreign: string[];
} {
  const own = [
    'tokens',
    ...(fontsUrl === undefined ? ['fonts'] : []),
    'custom',
    'chrome',
    'content',
    'print',
  ];
  return {
    own: own.map((name) => `./src/css/${name}.css`),
    foreign: fontsUrl === undefined ? [] : [fontsUrl],
  };
}
