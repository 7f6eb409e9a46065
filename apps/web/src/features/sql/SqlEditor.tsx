import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { PostgreSQL, sql, type SQLNamespace } from '@codemirror/lang-sql';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import Box from '@mui/material/Box';
import { tags } from '@lezer/highlight';
import { useEffect, useRef, type ReactElement } from 'react';
import type { StatementRange } from './statements.ts';

interface SqlEditorProps {
  /** The text to begin with; later changes of it are ignored. */
  initialText: string;
  /** Names of datasets with their columns, for completion. */
  schema: SQLNamespace;
  onChange: (text: string, selection: StatementRange) => void;
  onRun: (text: string, selection: StatementRange) => void;
}

const colors = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--mui-palette-primary-main)', fontWeight: '500' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--mui-palette-success-main)' },
  { tag: tags.number, color: 'var(--mui-palette-info-main)' },
  {
    tag: [tags.lineComment, tags.blockComment],
    color: 'var(--mui-palette-text-tertiary)',
    fontStyle: 'italic',
  },
]);

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--mui-palette-text-primary)' },
  '.cm-scroller': { fontFamily: '"Roboto Mono", ui-monospace, monospace', lineHeight: '20px' },
  '.cm-gutters': {
    backgroundColor: 'var(--mui-palette-background-sunken)',
    color: 'var(--mui-palette-text-tertiary)',
    border: 'none',
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-cursor': { borderLeftColor: 'var(--mui-palette-text-primary)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--mui-palette-background-selected) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--mui-palette-background-paper)',
    border: '1px solid var(--mui-palette-divider)',
    color: 'var(--mui-palette-text-primary)',
  },
});

/** An editor for SQL with completion of the person's datasets. Ctrl Enter (Cmd Enter) runs; Tab leaves the editor. */
export const SqlEditor = ({ initialText, schema, onChange, onRun }: SqlEditorProps): ReactElement => {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const language = useRef(new Compartment());
  const callbacks = useRef({ onChange, onRun });
  callbacks.current = { onChange, onRun };
  const begin = useRef(initialText);

  useEffect(() => {
    if (host.current === null) return undefined;
    const run = (editor: EditorView): boolean => {
      const { from, to } = editor.state.selection.main;
      callbacks.current.onRun(editor.state.doc.toString(), { from, to });
      return true;
    };
    // Only in a shadow root does CodeMirror use style sheets that the content security policy allows.
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: begin.current,
        extensions: [
          Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          bracketMatching(),
          closeBrackets(),
          autocompletion(),
          keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
          language.current.of(sql({ dialect: PostgreSQL })),
          syntaxHighlighting(colors),
          look,
          EditorView.contentAttributes.of({ 'aria-label': 'SQL' }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged && !update.selectionSet) return;
            const { from, to } = update.state.selection.main;
            callbacks.current.onChange(update.state.doc.toString(), { from, to });
          }),
        ],
      }),
    });
    view.current = editor;
    editor.focus();
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    view.current?.dispatch({
      effects: language.current.reconfigure(sql({ dialect: PostgreSQL, schema, upperCaseKeywords: true })),
    });
  }, [schema]);

  return <Box ref={host} sx={{ height: '100%', overflow: 'hidden' }} />;
};
