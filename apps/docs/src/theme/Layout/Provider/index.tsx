import Original from '@theme-original/Layout/Provider';
import type { ReactNode } from 'react';

import { PrintedMode } from '../../../components/printed-mode.ts';

/** The providers of all pages, and the colour mode of printed pages. */
export default function LayoutProvider({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Original>
      <PrintedMode />
      {children}
    </Original>
  );
}
