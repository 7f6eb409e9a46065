import type ts from 'typescript';

/** A part of a message that is known only when the error is thrown. The page shows `name` in braces instead. */
export interface Hole {
  name: string;
  /** The parameter that the value comes from, with the properties that lead to it. */
  parameter?: ts.ParameterDeclaration;
  path?: readonly string[];
}

/** A message as it is in the sources: text and holes. */
export interface Template {
  parts: readonly (string | Hole)[];
  /** The object that was chosen where there are several, so that all parts of a message come from the same object. */
  choices: ReadonlyMap<ts.Node, ts.Node>;
}

/** A part of a message that has more variants than this is shown as a hole. */
export const maxVariants = 24;

const noChoices: Template['choices'] = new Map();

export const toTemplate = (...parts: Template['parts']): Template => ({ parts, choices: noChoices });

export const holeOnly = (name: string): Template[] => [toTemplate({ name })];

export const hasText = ({ parts }: Template): boolean =>
  parts.some((part) => typeof part === 'string' && /[a-z]/i.test(part));

const canFollow = (start: Template, end: Template): boolean =>
  [...end.choices].every(([key, choice]) => (start.choices.get(key) ?? choice) === choice);

/** Returns all concatenations of one template from each list, as far as their choices agree. */
export const combine = (lists: readonly (readonly Template[])[]): Template[] => {
  let joined: Template[] = [toTemplate()];
  for (const list of lists) {
    joined = joined.flatMap((start) =>
      list
        .filter((end) => canFollow(start, end))
        .map((end) => ({
          parts: [...start.parts, ...end.parts],
          choices: new Map([...start.choices, ...end.choices]),
        })),
    );
  }
  return joined;
};

export const printTemplate = ({ parts }: Template): string =>
  parts.map((part) => (typeof part === 'string' ? part : `{${part.name}}`)).join('');
