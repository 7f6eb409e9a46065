import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A node of the tree of a page, with the fields used here. */
export interface Node {
  type: string;
  url?: string;
  alt?: string | null;
  name?: string;
  attributes?: { type: 'mdxJsxAttribute'; name: string; value: string }[];
  children?: Node[];
}

const staticFolder = join(import.meta.dirname, '../../static');
const address = /^(\/img\/console\/[a-z-]+)-light\.webp$/;

const attribute = (name: string, value: string) => ({ type: 'mdxJsxAttribute' as const, name, value });

const replace = (node: Node, exists: (path: string) => boolean): void => {
  const [image, ...others] = node.children ?? [];
  const [, path] = address.exec(image?.url ?? '') ?? [];
  if (node.type !== 'paragraph' || image?.type !== 'image' || path === undefined || others.length > 0) {
    for (const child of node.children ?? []) replace(child, exists);
    return;
  }
  if ((image.alt ?? '') === '') throw new Error(`The picture ${path} needs a text that says what it shows.`);
  for (const file of [`${path}-light.webp`, `${path}-dark.webp`]) {
    if (!exists(file)) {
      throw new Error(`The picture ${file} does not exist. npm run docs:pictures takes all pictures.`);
    }
  }
  node.type = 'mdxJsxFlowElement';
  node.name = 'ConsolePicture';
  node.attributes = [attribute('path', path), attribute('alt', image.alt ?? '')];
  node.children = [];
};

/** Shows a picture of the console in the colours of the page: `![…](/img/console/records-light.webp)`. */
export const consolePictures =
  (exists: (path: string) => boolean = (path) => existsSync(join(staticFolder, path))) =>
  (tree: Node) =>
    replace(tree, exists);
