import type { PrismTheme } from 'prism-react-renderer';

/**
 * The colours of code, from the palette of the site. One theme works for both modes, as the colours are CSS variables.
 */
export const codeTheme: PrismTheme = {
  plain: { color: 'var(--rd-text)', backgroundColor: 'var(--rd-sunken)' },
  styles: [
    { types: ['comment', 'prolog', 'doctype', 'cdata'], style: { color: 'var(--rd-text-tertiary)' } },
    { types: ['string', 'char', 'attr-value', 'url'], style: { color: 'var(--rd-success)' } },
    { types: ['number', 'boolean', 'constant', 'symbol'], style: { color: 'var(--rd-warning)' } },
    {
      types: ['keyword', 'atrule', 'selector', 'important'],
      style: { color: 'var(--rd-primary)', fontWeight: '500' },
    },
    { types: ['function', 'function-variable', 'class-name', 'builtin'], style: { color: 'var(--rd-info)' } },
    { types: ['property', 'attr-name', 'tag', 'parameter'], style: { color: 'var(--rd-code-plum)' } },
    { types: ['variable', 'regex', 'environment'], style: { color: 'var(--rd-code-rust)' } },
    { types: ['inserted'], style: { color: 'var(--rd-success)' } },
    { types: ['deleted'], style: { color: 'var(--rd-error)' } },
    { types: ['punctuation', 'operator'], style: { color: 'var(--rd-text-secondary)' } },
  ],
};
