/** A node of the tree of a page, with the fields used here. */
export interface Node {
  type: string;
  url?: string;
  alt?: string | null;
  name?: string;
  attributes?: { type: 'mdxJsxAttribute'; name: string; value: string }[];
  children?: Node[];
}

const address = /^(\/img\/console\/[a-z-]+)-light\.webp$/;

const attribute = (name: string, value: string) => ({ type: 'mdxJsxAttribute' as const, name, value });

/** Replaces pictures of the console by elements that show the one in the colours of the page. */
const replace = (node: Node): void => {
  const [image, ...others] = node.children ?? [];
  const [, path] = address.exec(image?.url ?? '') ?? [];
  if (node.type !== 'paragraph' || image?.type !== 'image' || path === undefined || others.length > 0) {
    for (const child of node.children ?? []) replace(child);
    return;
  }
  const alt = image.alt ?? '';
  if (alt === '') throw new Error(`The picture ${path} needs a text that says what it shows.`);
  node.type = 'mdxJsxFlowElement';
  node.name = 'ConsolePicture';
  node.attributes = [attribute('path', path), attribute('alt', alt)];
  node.children = [];
};

/** Shows a picture of the console in the colours of the page: `![…](/img/console/records-light.webp)`. */
export const consolePictures = () => replace;
