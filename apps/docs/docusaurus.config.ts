import type { Config } from '@docusaurus/types';
import { themes } from 'prism-react-renderer';
import { apiReference } from './plugins/api-reference/index.ts';

/** The API line that this site documents. */
const apiVersion = '4.176.0';

const config: Config = {
  title: 'Redoubt',
  tagline: 'A data platform in which nobody sees a record whose label they do not satisfy.',
  favicon: 'img/favicon.svg',
  url: 'http://localhost:7600',
  baseUrl: '/',
  trailingSlash: true,
  onBrokenLinks: 'throw',
  onBrokenAnchors: 'throw',
  // Files that end in .md are Markdown alone: braces and angle brackets in them are text.
  markdown: { format: 'detect', hooks: { onBrokenMarkdownLinks: 'warn' } },
  i18n: { defaultLocale: 'en', locales: ['en'] },
  // Storage keys are those of the specification, without a suffix of this site.
  storage: { type: 'localStorage', namespace: false },
  future: { v4: true, faster: true },
  clientModules: ['./src/client/route-loading.tsx', './src/client/first-load-failure.tsx'],
  plugins: [
    [
      '@docusaurus/plugin-content-docs',
      {
        path: 'docs',
        routeBasePath: 'docs',
        sidebarPath: './sidebars.ts',
        versions: { current: { label: apiVersion } },
      },
    ],
    ['@docusaurus/plugin-content-pages', { path: 'src/pages' }],
    apiReference,
  ],
  themes: [['@docusaurus/theme-classic', { customCss: './src/css/custom.css' }]],
  themeConfig: {
    colorMode: { defaultMode: 'light', disableSwitch: false, respectPrefersColorScheme: false },
    docs: { sidebar: { hideable: false } },
    tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
    navbar: {
      title: 'Redoubt',
      items: [
        { type: 'docSidebar', sidebarId: 'docs', position: 'left', label: 'Documentation' },
        { to: '/api/', position: 'left', label: 'API' },
        { type: 'docsVersion', position: 'right' },
        { type: 'localeDropdown', position: 'right' },
      ],
    },
    footer: { style: 'light', copyright: 'Copyright © 2025 Redoubt.' },
    prism: { theme: themes.github, darkTheme: themes.vsDark, additionalLanguages: ['bash', 'json', 'sql'] },
  },
};

export default config;
