import { StateEffect, StateField, type EditorState, type Extension, type Range } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';
import { splitStatements, statementToRun, type StatementRange } from '../statements.ts';

/** Underlines a range of the text as wrong until the text changes. Null removes the underline. */
export const markError = StateEffect.define<StatementRange | null>();

const wrong = Decoration.mark({ class: 'cm-wrong' });
const current = Decoration.mark({ class: 'cm-statement' });

const errorField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    let next = transaction.docChanged ? Decoration.none : marks;
    for (const effect of transaction.effects) {
      if (!effect.is(markError)) continue;
      const { value } = effect;
      next =
        value === null || value.to <= value.from
          ? Decoration.none
          : Decoration.set(wrong.range(value.from, value.to));
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Outlines the statement that Run sends, if the text has several. */
const outline = (state: EditorState): DecorationSet => {
  const text = state.doc.toString();
  const { from, to } = state.selection.main;
  if (from !== to || splitStatements(text).length < 2) return Decoration.none;
  const range = statementToRun(text, { from, to });
  if (range === undefined) return Decoration.none;
  const lines: Range<Decoration>[] = [];
  for (let at = range.from; at < range.to;) {
    const line = state.doc.lineAt(at);
    const end = Math.min(line.to, range.to);
    if (end > at) lines.push(current.range(at, end));
    at = line.to + 1;
  }
  return Decoration.set(lines);
};

const outlineField = StateField.define<DecorationSet>({
  create: outline,
  update: (marks, { docChanged, selection, state }) =>
    docChanged || selection !== undefined ? outline(state) : marks,
  provide: (field) => EditorView.decorations.from(field),
});

export const editorMarks: Extension = [errorField, outlineField];
