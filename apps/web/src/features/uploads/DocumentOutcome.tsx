import type { LabelVisibility } from '@redoubt/contract';
import { EmptyState } from '@redoubt/ui';
import Typography from '@mui/material/Typography';
import type { ReactElement } from 'react';
import { uploadsText as texts } from '../../text/uploads.ts';

/** What becomes of files that are stored as documents, in the place of a preview. */
export const DocumentOutcome = ({
  visibility,
}: {
  /** That of the label of all pages; undefined if there is none yet. */
  visibility: LabelVisibility | undefined;
}): ReactElement => (
  <EmptyState title={texts.recordPerPage}>
    {texts.documentFormats}
    {visibility !== undefined && (
      <Typography
        role="status"
        sx={{ mt: 1, color: visibility.isVisible ? 'text.secondary' : 'warning.main' }}
      >
        {visibility.isVisible ? texts.seesDocuments : texts.seesNoDocuments}
      </Typography>
    )}
  </EmptyState>
);
