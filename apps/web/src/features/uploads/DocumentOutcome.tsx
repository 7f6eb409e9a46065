import type { LabelVisibility, UploadPreview } from '@redoubt/contract';
import { EmptyState, InlineError } from '@redoubt/ui';
import Typography from '@mui/material/Typography';
import type { ReactElement } from 'react';
import { uploadsText as texts } from '../../text/uploads.ts';
import { describePages } from './describe-preview.ts';
import { DocumentPages } from './DocumentPages.tsx';

interface DocumentOutcomeProps {
  /** The first pages; undefined while they are read, and for files whose text is found after the import. */
  preview: UploadPreview | undefined;
  isReading: boolean;
  /** That of the label of all pages; undefined if there is none yet. */
  visibility: LabelVisibility | undefined;
}

/** What becomes of files that are stored as documents: the text of the first pages, if it is known. */
export const DocumentOutcome = ({ preview, isReading, visibility }: DocumentOutcomeProps): ReactElement => {
  const visible = visibility !== undefined && (
    <Typography role="status" sx={{ mt: 1, color: visibility.isVisible ? 'text.secondary' : 'warning.main' }}>
      {visibility.isVisible ? texts.seesDocuments : texts.seesNoDocuments}
    </Typography>
  );
  const error = preview?.error ?? null;
  if (preview === undefined || preview.rows.length === 0) {
    return (
      <>
        {error !== null && <InlineError message={error} />}
        <EmptyState title={texts.recordPerPage}>
          {isReading ? texts.readingPages : texts.documentFormats}
          {visible}
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <Typography variant="h2">{texts.recordPerPage}</Typography>
      <Typography role="status" sx={{ mt: 0.5, color: 'text.secondary' }}>
        {describePages(preview)}
      </Typography>
      {visible}
      {error !== null && <InlineError message={error} />}
      <DocumentPages rows={preview.rows} />
    </>
  );
};
