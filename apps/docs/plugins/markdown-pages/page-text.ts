/** The parts of a documentation page that its Markdown version needs. */
export interface MarkdownPage {
  readonly title: string;
  readonly description: string;
  /** The address of the page, such as `/docs/intro/`. The final slash may be missing. */
  readonly permalink: string;
  /** The source of the file, with its front matter. */
  readonly source: string;
}

/** The address of the Markdown version: `.md` replaces the final slash. */
export const markdownAddress = (permalink: string): string => `${permalink.replace(/\/$/, '')}.md`;

const pageAddress = (permalink: string): string => `${permalink.replace(/\/$/, '')}/`;

const frontMatter = /^---\r?\n[^]*?\r?\n---\r?\n/;
const imports = /^import\s(?:[^'"\n]*\sfrom\s)?['"][^'"\n]+['"];?[ \t]*\r?\n/gm;
const fence = /^(```|~~~).*[^]*?^\1.*$/gm;

/** Applies a change to the text outside code blocks. */
const outsideCode = (text: string, change: (part: string) => string): string => {
  const blocks = text.match(fence) ?? [];
  const between = text.split(fence).filter((_, index) => index % 2 === 0);
  return between.map((part, index) => `${change(part)}${blocks[index] ?? ''}`).join('');
};

/** The source of the page under its title, without front matter and imports. */
export const textOf = ({ title, source }: MarkdownPage): string => {
  const body = outsideCode(source.replace(frontMatter, ''), (part) =>
    part.replace(imports, '').replaceAll(/(\]\([^)\s]+)\.mdx\b/g, '$1.md'),
  ).trim();
  return `${body.startsWith('# ') ? '' : `# ${title}\n\n`}${body}\n`;
};

export interface MarkdownSection {
  readonly label: string;
  readonly pages: readonly MarkdownPage[];
}

const head = (title: string, tagline: string): string => `# ${title}\n\n> ${tagline}\n`;

/** The list of all pages, one line each, in the format of llms.txt. */
export const listOf = (title: string, tagline: string, sections: readonly MarkdownSection[]): string => {
  const parts = sections.map(
    ({ label, pages }) =>
      `## ${label}\n\n${pages.map((page) => `- [${page.title}](${markdownAddress(page.permalink)}): ${page.description}\n`).join('')}`,
  );
  return [head(title, tagline), ...parts].join('\n');
};

/** The text of all pages. */
export const wholeText = (title: string, tagline: string, sections: readonly MarkdownSection[]): string =>
  [
    head(title, tagline),
    ...sections.flatMap(({ pages }) =>
      pages.map((page) => `<!-- ${pageAddress(page.permalink)} -->\n\n${textOf(page)}`),
    ),
  ].join('\n');
