/** One setting of a build, read from the environment variable of that name. */
interface Setting<T> {
  /** What it does, for the page about building the site. */
  readonly description: string;
  /** The default, in words. */
  readonly default: string;
  /** Reads the text of the variable; throws a plain Error that says what is expected. */
  read(text: string | undefined): T;
}

const define = <T>(setting: Setting<T>): Setting<T> => setting;

const text = (value: string | undefined): string | undefined => {
  if (value !== undefined && value.length > 2000) throw new Error('is longer than 2,000 characters');
  return value;
};

const url = (value: string | undefined): string | undefined => {
  if (value === undefined) return undefined;
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new Error(`is "${value}"; expected an address that begins with https:// or http://`);
  }
  return value;
};

const origin = (value: string | undefined): string | undefined => {
  const found = url(value);
  if (found !== undefined && new URL(found).origin !== found.replace(/\/$/, '')) {
    throw new Error(`is "${found}"; expected an origin such as https://docs.example.org, without a path`);
  }
  return found?.replace(/\/$/, '');
};

const link = (value: string | undefined): string | undefined =>
  value?.startsWith('/') === true && !value.startsWith('//') ? value : url(value);

const baseUrl = (value: string | undefined): string => {
  if (value !== undefined && !/^\/(?:[\w.~-]+\/)*$/.test(value)) {
    throw new Error(`is "${value}"; expected a path that begins and ends with a slash, such as /help/`);
  }
  return value ?? '/';
};

function isPattern(value: string): boolean {
  try {
    return new RegExp(value) instanceof RegExp;
  } catch {
    return false;
  }
}

const pattern = (value: string | undefined): string | undefined => {
  if (value !== undefined && !isPattern(value)) {
    throw new Error(`is "${value}"; expected a regular expression`);
  }
  return value;
};

const identifier = (value: string | undefined): string | undefined => {
  if (value !== undefined && !/^[\w.-]{1,100}$/.test(value)) {
    throw new Error(`is "${value}"; expected up to 100 letters, digits, ".", "_" and "-"`);
  }
  return value;
};

const flag =
  (fallback: boolean) =>
  (value: string | undefined): boolean => {
    if (value === undefined) return fallback;
    if (value !== 'true' && value !== 'false') throw new Error(`is "${value}"; expected true or false`);
    return value === 'true';
  };

/** Every setting of a build. All outside services are off unless they are set. */
export const siteSettings = {
  DOCS_URL: define({
    description: 'The origin of the site, for sitemaps and canonical links.',
    default: 'http://localhost:7600',
    read: origin,
  }),
  DOCS_BASE_URL: define({
    description: 'The path of the site on that origin.',
    default: '/',
    read: baseUrl,
  }),
  DOCS_SEARCH_APP_ID: define({
    description: 'The application of a hosted search service (Algolia) with an index named documentation.',
    default: 'none: the site searches its own index',
    read: identifier,
  }),
  DOCS_SEARCH_API_KEY: define({
    description: 'The search-only key of that service. It is public: every reader gets it.',
    default: 'none',
    read: identifier,
  }),
  DOCS_SEARCH_REPLACE_FROM: define({
    description: 'A regular expression. Whatever it matches in the paths of results is replaced.',
    default: 'none: paths of results stay as they are',
    read: pattern,
  }),
  DOCS_SEARCH_REPLACE_TO: define({
    description: 'The replacement for each match.',
    default: 'nothing: the match is removed',
    read: text,
  }),
  DOCS_CHAT_KEY: define({
    description:
      'The key of a support chat. The widget is never loaded where the site and the server share an origin.',
    default: 'none: no widget is loaded',
    read: identifier,
  }),
  DOCS_CHAT_SRC: define({
    description: 'The address of the script of that widget.',
    default: 'none',
    read: url,
  }),
  DOCS_FONTS_URL: define({
    description: 'The address of a style sheet of a fonts service that has Roboto and Roboto Mono.',
    default: 'none: the site includes its fonts',
    read: url,
  }),
  DOCS_ANNOUNCEMENT_ID: define({
    description:
      'The id of an announcement above every page. Readers who closed an announcement see the next one if its id differs.',
    default: 'none',
    read: identifier,
  }),
  DOCS_ANNOUNCEMENT_TEXT: define({
    description: 'The text of the announcement, which can contain HTML.',
    default: 'none: there is no announcement',
    read: text,
  }),
  DOCS_SIGN_UP_URL: define({
    description: 'Where "Sign Up" leads.',
    default: '/docs/quickstart/sign-up/',
    read: link,
  }),
  DOCS_PARENT_NAME: define({
    description: 'The name of the parent project, as the last link at the top says it.',
    default: 'Project',
    read: text,
  }),
  DOCS_PARENT_URL: define({
    description: 'Where that link leads.',
    default: '/markdown-page/, the page about the project',
    read: link,
  }),
  DOCS_COLOR_MODE_SWITCH: define({
    description: 'Whether readers can switch between light and dark; true or false.',
    default: 'true',
    read: flag(true),
  }),
  DOCS_RESPECT_SYSTEM: define({
    description: 'Whether readers who never switched get the colours of their system; true or false.',
    default: 'false: they get the light ones',
    read: flag(false),
  }),
} as const;

type Name = keyof typeof siteSettings;
type Read = { readonly [N in Name]: ReturnType<(typeof siteSettings)[N]['read']> };

/** Settings that only mean something together. */
const pairs: readonly (readonly [Name, Name])[] = [
  ['DOCS_SEARCH_APP_ID', 'DOCS_SEARCH_API_KEY'],
  ['DOCS_CHAT_KEY', 'DOCS_CHAT_SRC'],
  ['DOCS_ANNOUNCEMENT_ID', 'DOCS_ANNOUNCEMENT_TEXT'],
  ['DOCS_PARENT_NAME', 'DOCS_PARENT_URL'],
];

/** What a build makes of its settings. What is undefined is off. */
export interface SiteSettings {
  readonly url: string;
  readonly baseUrl: string;
  readonly search: { readonly appId: string; readonly apiKey: string } | undefined;
  /** `from` is a regular expression. It holds for results of the hosted service. */
  readonly searchReplacement: { readonly from: string; readonly to: string } | undefined;
  readonly chat: { readonly key: string; readonly src: string } | undefined;
  readonly fontsUrl: string | undefined;
  readonly announcement: { readonly id: string; readonly text: string } | undefined;
  /** An address, or a path of the site. */
  readonly signUpUrl: string;
  readonly parent: { readonly name: string; readonly url: string };
  readonly colorModeSwitch: boolean;
  readonly respectSystem: boolean;
}

/**
 * Reads the settings of a build; an empty variable is none.
 * @throws Error that names every variable that cannot be used, and why
 */
export function readSiteSettings(environment: Readonly<Record<string, string | undefined>>): SiteSettings {
  const faults: string[] = [];
  const given = (name: Name): string | undefined => environment[name] || undefined;
  const read = Object.fromEntries(
    (Object.keys(siteSettings) as Name[]).map((name) => {
      try {
        return [name, siteSettings[name].read(given(name))];
      } catch (error) {
        faults.push(`${name} ${error instanceof Error ? error.message : String(error)}`);
        return [name, undefined];
      }
    }),
  ) as Read;
  for (const [one, other] of pairs) {
    if (given(one) !== undefined && given(other) === undefined) faults.push(`${one} needs ${other} as well`);
    if (given(other) !== undefined && given(one) === undefined) faults.push(`${other} needs ${one} as well`);
  }
  if (given('DOCS_SEARCH_REPLACE_TO') !== undefined && given('DOCS_SEARCH_REPLACE_FROM') === undefined) {
    faults.push('DOCS_SEARCH_REPLACE_TO needs DOCS_SEARCH_REPLACE_FROM as well');
  }
  if (faults.length > 0)
    throw new Error(`The site cannot be built with these settings: ${faults.join('; ')}.`);

  const { DOCS_SEARCH_REPLACE_FROM: from, DOCS_SEARCH_REPLACE_TO: to = '' } = read;
  return {
    url: read.DOCS_URL ?? 'http://localhost:7600',
    baseUrl: read.DOCS_BASE_URL,
    search: both('appId', read.DOCS_SEARCH_APP_ID, 'apiKey', read.DOCS_SEARCH_API_KEY),
    searchReplacement: from === undefined ? undefined : { from, to },
    chat: both('key', read.DOCS_CHAT_KEY, 'src', read.DOCS_CHAT_SRC),
    fontsUrl: read.DOCS_FONTS_URL,
    announcement: both('id', read.DOCS_ANNOUNCEMENT_ID, 'text', read.DOCS_ANNOUNCEMENT_TEXT),
    signUpUrl: read.DOCS_SIGN_UP_URL ?? '/docs/quickstart/sign-up/',
    parent: both('name', read.DOCS_PARENT_NAME, 'url', read.DOCS_PARENT_URL) ?? {
      name: 'Project',
      url: '/markdown-page/',
    },
    colorModeSwitch: read.DOCS_COLOR_MODE_SWITCH,
    respectSystem: read.DOCS_RESPECT_SYSTEM,
  };
}

function both<A extends string, B extends string>(
  one: A,
  value: string | undefined,
  other: B,
  otherValue: string | undefined,
): Record<A | B, string> | undefined {
  if (value === undefined || otherValue === undefined) return undefined;
  return { [one]: value, [other]: otherValue } as Record<A | B, string>;
}
