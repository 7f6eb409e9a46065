import {
  acceptCompletion,
  autocompletion,
  completionKeymap,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorState, Prec, StateField } from '@codemirror/state';
import { Decoration, EditorView, keymap, placeholder, type DecorationSet } from '@codemirror/view';
import Box from '@mui/material/Box';
import { useEffect, useRef, type ReactElement } from 'react';
import { escapeField, findProblem } from './lucene-terms.ts';

/** A field with its type, for completion. */
export interface SearchField {
  readonly name: string;
  readonly type: string;
}

interface LuceneInputProps {
  text: string;
  fields: readonly SearchField[];
  onChange: (text: string) => void;
  onSubmit: (text: string) => void;
}

const wrong = Decoration.mark({ class: 'cm-wrong' });

const markProblem = (state: EditorState): DecorationSet => {
  const problem = findProblem(state.doc.toString());
  return problem === undefined || problem.to <= problem.from
    ? Decoration.none
    : Decoration.set(wrong.range(problem.from, problem.to));
};

/** Underlines the part of the search that cannot be parsed, updated while somebody types. */
const problemField = StateField.define<DecorationSet>({
  create: markProblem,
  update: (marks, { docChanged, state }) => (docChanged ? markProblem(state) : marks),
  provide: (field) => EditorView.decorations.from(field),
});

/** Replaces line breaks, such as those of pasted text, by spaces. */
const oneLine = EditorState.transactionFilter.of((transaction) => {
  if (transaction.newDoc.lines === 1) return transaction;
  const text = transaction.newDoc.toString().replaceAll(/\s*\n\s*/g, ' ');
  return {
    changes: { from: 0, to: transaction.startState.doc.length, insert: text },
    selection: { anchor: text.length },
  };
});

const operators: readonly Completion[] = ['AND', 'OR', 'NOT'].map((label) => ({
  label,
  apply: `${label} `,
  type: 'keyword',
  boost: -1,
}));

const look = EditorView.theme({
  '&': {
    fontSize: '14px',
    color: 'var(--mui-palette-text-primary)',
    backgroundColor: 'var(--mui-palette-background-paper)',
    border: '1px solid var(--mui-palette-text-tertiary)',
    borderRadius: '4px',
  },
  '&.cm-focused': { outline: '2px solid var(--mui-palette-primary-main)' },
  '.cm-content': {
    padding: '5px 4px',
    fontFamily: '"Roboto Mono", ui-monospace, monospace',
    lineHeight: '20px',
  },
  '.cm-cursor': { borderLeftColor: 'var(--mui-palette-text-primary)' },
  '.cm-placeholder': { color: 'var(--mui-palette-text-tertiary)' },
  '.cm-wrong': {
    textDecoration: 'underline wavy var(--mui-palette-error-main)',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--mui-palette-background-paper)',
    border: '1px solid var(--mui-palette-divider)',
    color: 'var(--mui-palette-text-primary)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--mui-palette-background-selected) !important',
    color: 'var(--mui-palette-text-primary) !important',
  },
});

/**
 * A single-line editor for a Lucene search. It completes fields and underlines what cannot be parsed.
 * Enter searches.
 */
export const LuceneInput = (props: LuceneInputProps): ReactElement => {
  const { text } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const begin = useRef(text);

  useEffect(() => {
    if (host.current === null) return undefined;
    const complete = (context: CompletionContext): CompletionResult | null => {
      const word = context.matchBefore(/[\p{L}\p{N}_.]+/u);
      if (word === null && !context.explicit) return null;
      const fields = latest.current.fields.map(({ name, type }): Completion => ({
        label: name,
        apply: `${escapeField(name)}:`,
        detail: type,
        type: 'property',
      }));
      return { from: word?.from ?? context.pos, options: [...fields, ...operators] };
    };
    const submit = ({ state }: EditorView): boolean => {
      latest.current.onSubmit(state.doc.toString());
      return true;
    };
    // In a shadow root, CodeMirror uses constructed style sheets, which the content security policy allows.
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: begin.current,
        extensions: [
          Prec.highest(
            keymap.of([{ key: 'Enter', run: (target) => acceptCompletion(target) || submit(target) }]),
          ),
          history(),
          oneLine,
          autocompletion({ override: [complete], selectOnOpen: false }),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          problemField,
          look,
          placeholder('Search in Lucene, such as name:london AND elevation_ft:[3000 TO *]'),
          EditorView.contentAttributes.of({ 'aria-label': 'Search in Lucene' }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current.onChange(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    editor.focus();
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || editor.state.doc.toString() === text) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: text },
      selection: { anchor: text.length },
    });
  }, [text]);

  return <Box ref={host} sx={{ flex: 1, minWidth: 0 }} />;
};
