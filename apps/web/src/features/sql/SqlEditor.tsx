import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { keywordCompletionSource, PostgreSQL, sql } from '@codemirror/lang-sql';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { EditorState, Prec, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import Box from '@mui/material/Box';
import { useEffect, useRef, type ReactElement } from 'react';
import { completeSql, type SqlSchema } from './editor/complete-sql.ts';
import { editorLook, editorColors } from './editor/editor-look.ts';
import { editorMarks, markError } from './editor/editor-marks.ts';
import type { StatementRange } from './statements.ts';

interface SqlEditorProps {
  /** The id of the tab. Each tab has its own undo history, cursor and marks. */
  id: string;
  /** The initial text and cursor. Later values replace the text of the editor only if the text differs. */
  text: string;
  cursor: StatementRange;
  /** Datasets with their columns, for completion. */
  schema: SqlSchema;
  /** The range of the text that an error is about. */
  wrong: StatementRange | undefined;
  onChange: (text: string, selection: StatementRange) => void;
  onRun: (text: string, selection: StatementRange) => void;
  onRunAll: (text: string) => void;
  onSave: () => void;
}

/**
 * An editor for SQL. Ctrl Enter (Cmd Enter on a Mac) runs the statement at the cursor, Ctrl Shift Enter the whole text,
 * and Ctrl S saves. Tab leaves the editor.
 */
export const SqlEditor = (props: SqlEditorProps): ReactElement => {
  const { id, text, cursor, wrong } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const states = useRef(new Map<string, EditorState>());
  const shown = useRef('');
  /** Texts that the editor has passed to `onChange` and that have not yet returned as the property `text`. */
  const reported = useRef<string[]>([]);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    if (host.current === null) return undefined;
    // In a shadow root, CodeMirror uses constructed style sheets, which the content security policy allows.
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const editor = new EditorView({ parent: root, root });
    view.current = editor;
    const kept = states.current;
    return () => {
      editor.destroy();
      kept.clear();
      shown.current = '';
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined) return;
    const selectionOf = (state: EditorState): StatementRange => {
      const { from, to } = state.selection.main;
      return { from, to };
    };
    const commands = [
      {
        key: 'Mod-Enter',
        run: (target: EditorView) => {
          closeCompletion(target);
          const { state } = target;
          latest.current.onRun(state.doc.toString(), selectionOf(state));
          return true;
        },
      },
      {
        key: 'Mod-Shift-Enter',
        run: (target: EditorView) => {
          closeCompletion(target);
          const { state } = target;
          latest.current.onRunAll(state.doc.toString());
          return true;
        },
      },
      {
        key: 'Mod-s',
        run: () => {
          latest.current.onSave();
          return true;
        },
      },
    ];
    const extensions = (): Extension => [
      Prec.highest(keymap.of(commands)),
      lineNumbers(),
      history(),
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      autocompletion({
        override: [completeSql(() => latest.current.schema), keywordCompletionSource(PostgreSQL, true)],
      }),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
      sql({ dialect: PostgreSQL, upperCaseKeywords: true }),
      syntaxHighlighting(editorColors),
      editorLook,
      editorMarks,
      EditorView.contentAttributes.of({ 'aria-label': 'SQL' }),
      EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
        if (!docChanged && !selectionSet) return;
        const now = state.doc.toString();
        if (reported.current.at(-1) !== now) reported.current.push(now);
        latest.current.onChange(now, selectionOf(state));
      }),
    ];
    if (shown.current !== id) {
      if (shown.current !== '') states.current.set(shown.current, editor.state);
      const kept = states.current.get(id);
      const clamp = (at: number): number => Math.min(at, text.length);
      editor.setState(
        kept?.doc.toString() === text
          ? kept
          : EditorState.create({
              doc: text,
              selection: { anchor: clamp(cursor.from), head: clamp(cursor.to) },
              extensions: extensions(),
            }),
      );
      shown.current = id;
      reported.current = [];
      editor.focus();
      return;
    }
    const place = reported.current.indexOf(text);
    // While somebody types, `text` lags behind the editor. A text that the editor itself reported must not overwrite a
    // newer one.
    if (place !== -1) reported.current.splice(0, place + 1);
    else if (editor.state.doc.toString() !== text) {
      reported.current = [];
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
    }
  }, [id, text, cursor]);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined) return;
    const isInside = wrong !== undefined && wrong.to <= editor.state.doc.length;
    editor.dispatch({ effects: markError.of(isInside ? wrong : null) });
  }, [id, wrong]);

  return <Box ref={host} sx={{ height: '100%', overflow: 'hidden' }} />;
};
