import Original from '@theme-original/Layout/Provider';
import type { ReactNode } from 'react';

import { PrintedMode } from '../../../components/printed-mode.ts';

/** What all pages share, and the mode of what is printed. */
export default function LayoutProvider({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Original>
      <PrintedMode />
      {children}
    </Original>
  );
}
