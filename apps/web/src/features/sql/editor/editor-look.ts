import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export const editorColors = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--mui-palette-primary-main)', fontWeight: '500' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--mui-palette-success-main)' },
  { tag: tags.number, color: 'var(--mui-palette-info-main)' },
  {
    tag: [tags.lineComment, tags.blockComment],
    color: 'var(--mui-palette-text-tertiary)',
    fontStyle: 'italic',
  },
]);

export const editorLook = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--mui-palette-text-primary)' },
  '.cm-scroller': { fontFamily: '"Roboto Mono", ui-monospace, monospace', lineHeight: '20px' },
  '.cm-gutters': {
    backgroundColor: 'var(--mui-palette-background-sunken)',
    color: 'var(--mui-palette-text-tertiary)',
    border: 'none',
  },
  '.cm-cursor': { borderLeftColor: 'var(--mui-palette-text-primary)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--mui-palette-background-selected) !important',
  },
  '.cm-statement': { outline: '1px solid var(--mui-palette-text-tertiary)', outlineOffset: '1px' },
  '.cm-wrong': {
    textDecoration: 'underline wavy var(--mui-palette-error-main)',
    textUnderlineOffset: '3px',
    backgroundColor: 'var(--mui-palette-error-tint)',
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
  '.cm-completionDetail': { color: 'var(--mui-palette-text-tertiary)', fontStyle: 'normal' },
});
