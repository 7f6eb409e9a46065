import { quoteText } from '../rows/quote-text.ts';

/** An element that becomes JSON. */
export interface XmlElement {
  readonly name: string;
  /** JSON values by key: attributes with "@" in front, and elements. */
  readonly members: Map<string, string[]>;
  text: string;
  hasElements: boolean;
}

export const createElement = (name: string): XmlElement => ({
  name,
  members: new Map(),
  text: '',
  hasElements: false,
});

export function addMember({ members }: XmlElement, key: string, json: string): void {
  const values = members.get(key);
  if (values === undefined) members.set(key, [json]);
  else values.push(json);
}

/** The JSON of an element: its text when it has nothing else, otherwise an object. An empty element is null. */
export const elementJson = (element: XmlElement): string =>
  element.members.size > 0 ? recordJson(element) : element.text === '' ? 'null' : quoteText(element.text);

/** The JSON of an element as a record. Elements that are repeated are a list. */
export function recordJson({ members, text, hasElements }: XmlElement): string {
  const parts = [...members].map(
    ([key, values]) =>
      `${quoteText(key)}:${values.length === 1 ? (values[0] ?? 'null') : `[${values.join(',')}]`}`,
  );
  // White space between elements is only formatting.
  const own = hasElements ? text.trim() : text;
  if (own !== '') parts.push(`${quoteText('#text')}:${quoteText(own)}`);
  return `{${parts.join(',')}}`;
}
