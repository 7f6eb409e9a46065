import type { Config, PluginModule } from '@docusaurus/types';
import { apiReference } from './plugins/api-reference/index.ts';
import { localSearch } from './plugins/local-search/index.ts';
import { markdownPages } from './plugins/markdown-pages/index.ts';
import { consolePictures } from './plugins/console-pictures/console-pictures.ts';
import { codeLanguages } from './plugins/code-languages/index.ts';
import { movedPagesPlugin } from './plugins/moved-pages/index.ts';
import { readableTables } from './plugins/readable-tables/readable-tables.ts';
import { robots } from './plugins/robots/index.ts';
import { storedTheme } from './plugins/stored-theme/index.ts';
import { breakpointsPlugin } from './plugins/breakpoints/index.ts';
import { footer, navbar, styleSheets } from './site-chrome.ts';
import { siteServices } from './site-services.ts';
import { readSiteSettings } from './site-settings.ts';
import { codeTheme } from './src/code-theme.ts';

const settings = readSiteSettings(process.env);
const styles = styleSheets(settings);

/** The API line that this site documents. */
const apiVersion = '4.176.0';

const config: Config = {
  title: 'Redoubt',
  tagline: 'A data platform in which nobody sees a record whose label they do not satisfy.',
  favicon: 'img/favicon.svg',
  url: settings.url,
  baseUrl: settings.baseUrl,
  trailingSlash: true,
  onBrokenLinks: 'throw',
  onBrokenAnchors: 'throw',
  // Files that end in .md are Markdown alone: braces and angle brackets in them are text.
  markdown: { format: 'detect', hooks: { onBrokenMarkdownLinks: 'warn' } },
  i18n: {
    defaultLocale: 'en',
    locales: ['en'],
    localeConfigs: { en: { label: 'English', htmlLang: 'en' } },
  },
  // Storage keys are those of the specification, without a suffix of this site.
  storage: { type: 'localStorage', namespace: false },
  future: { v4: true, faster: true },
  stylesheets: styles.foreign,
  customFields: { ...siteServices(settings) },
  clientModules: [
    './src/client/plain-paths.ts',
    './src/client/route-loading.tsx',
    './src/client/first-load-failure.tsx',
    ...(settings.chat === undefined ? [] : ['./src/client/support-chat.ts']),
  ],
  plugins: [
    [
      '@docusaurus/plugin-content-docs',
      {
        path: 'docs',
        routeBasePath: 'docs',
        sidebarPath: './sidebars.ts',
        beforeDefaultRemarkPlugins: [consolePictures],
        rehypePlugins: [readableTables],
        versions: { current: { label: apiVersion } },
      },
    ],
    ['@docusaurus/plugin-content-pages', { path: 'src/pages' }],
    '@docusaurus/plugin-sitemap',
    breakpointsPlugin,
    codeLanguages,
    apiReference as PluginModule,
    localSearch,
    markdownPages,
    movedPagesPlugin,
    robots,
  ],
  themes: [
    [
      '@docusaurus/theme-classic',
      {
        customCss: styles.own,
      },
    ],
    [storedTheme as PluginModule, { respectSystem: settings.respectSystem }],
  ],
  themeConfig: {
    colorMode: {
      defaultMode: 'light',
      disableSwitch: !settings.colorModeSwitch,
      respectPrefersColorScheme: settings.respectSystem,
    },
    docs: { sidebar: { hideable: false } },
    tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
    navbar: navbar(settings),
    footer: footer(settings),
    prism: {
      theme: codeTheme,
      darkTheme: codeTheme,
      // All languages of the site: the highlighter's own set is left out. TypeScript stands on the two before it.
      additionalLanguages: [
        'clike',
        'javascript',
        'typescript',
        'bash',
        'ebnf',
        'ini',
        'json',
        'python',
        'sql',
        'yaml',
      ],
    },
    ...(settings.announcement && {
      announcementBar: {
        id: settings.announcement.id,
        content: settings.announcement.text,
        isCloseable: true,
      },
    }),
  },
};

export default config;
