/** A page of the documentation, as far as its text for programs needs it. */
export interface MarkdownPage {
  readonly title: string;
  readonly description: string;
  /** The address of the page, such as `/docs/intro/`; the slash at its end may be missing. */
  readonly permalink: string;
  /** The file as it was written, with its front matter. */
  readonly source: string;
}

/** The address of a page as Markdown: that of the page with `.md` instead of the slash at its end. */
export const markdownAddress = (permalink: string): string => `${permalink.replace(/\/$/, '')}.md`;

const pageAddress = (permalink: string): string => `${permalink.replace(/\/$/, '')}/`;

const frontMatter = /^---\r?\n[^]*?\r?\n---\r?\n/;
const imports = /^import\s(?:[^'"\n]*\sfrom\s)?['"][^'"\n]+['"];?[ \t]*\r?\n/gm;
const fence = /^(```|~~~).*[^]*?^\1.*$/gm;

/** Does something to what is no block of code. */
const outsideCode = (text: string, change: (part: string) => string): string => {
  const blocks = text.match(fence) ?? [];
  const between = text.split(fence).filter((_, index) => index % 2 === 0);
  return between.map((part, index) => `${change(part)}${blocks[index] ?? ''}`).join('');
};

/** The page as it was written, under its title; what is there for the builder alone is left out. */
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

/** What there is, one line a page, in the form of llms.txt. */
export const listOf = (title: string, tagline: string, sections: readonly MarkdownSection[]): string => {
  const parts = sections.map(
    ({ label, pages }) =>
      `## ${label}\n\n${pages.map((page) => `- [${page.title}](${markdownAddress(page.permalink)}): ${page.description}\n`).join('')}`,
  );
  return [head(title, tagline), ...parts].join('\n');
};

/** All pages in one text. */
export const wholeText = (title: string, tagline: string, sections: readonly MarkdownSection[]): string =>
  [
    head(title, tagline),
    ...sections.flatMap(({ pages }) =>
      pages.map((page) => `<!-- ${pageAddress(page.permalink)} -->\n\n${textOf(page)}`),
    ),
  ].join('\n');
