import Original from '@theme-original/Layout/Provider';
import type { ReactNode } from 'react';

import { PrintedMode } from '../../../components/printed-mode.ts';

/** Adds the colour mode of printed pages to the providers of all pages. */
export default function LayoutProvider({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Original>
      <PrintedMode />
      {children}
    </Original>
  );
}
