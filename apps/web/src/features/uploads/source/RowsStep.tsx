import type { LabelVisibility, SourcePreview } from '@redoubt/contract';
import { EmptyState, ErrorState, formatNumber, InlineError, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactElement } from 'react';
import { describeError, isError } from '../../../api/client.ts';
import { HintedCheckbox } from '../../../parts/HintedOption.tsx';
import { sourcesText as texts } from '../../../text/sources.ts';
import { uploadsText } from '../../../text/uploads.ts';
import { ColumnOptions } from '../ColumnOptions.tsx';
import { describePreview } from '../describe-preview.ts';
import { DocumentOutcome } from '../DocumentOutcome.tsx';
import { LabelOptions } from '../LabelOptions.tsx';
import { PreviewTable } from '../PreviewTable.tsx';
import { ReadingOptions } from '../ReadingOptions.tsx';
import { seesNone } from '../sees-none.ts';
import { knownFields } from '../known-fields.ts';
import { OcrLanguages } from '../OcrLanguages.tsx';
import { hasFiles, isDocumentImport, type SourceImport } from './source-import.ts';

interface RowsStepProps {
  draft: SourceImport;
  preview: SourcePreview | undefined;
  /** The last rows that were read, also if the choice has an error since, so that it can be changed again. */
  known: SourcePreview | undefined;
  error: unknown;
  /** Whether the rows are those of an earlier choice while the source is read again. */
  isOutdated: boolean;
  /** By label. Undefined while the choice of labels is incomplete. */
  visibility: ReadonlyMap<string, LabelVisibility> | undefined;
  onChange: (draft: SourceImport) => void;
}

interface FileNamesProps {
  preview: SourcePreview;
  /** Says how many there are. */
  text: (count: string, hasMore: boolean) => string;
}

/** The files of the source that are known. */
const FileNames = ({ preview, text }: FileNamesProps): ReactElement | null => {
  const { files, hasMoreFiles } = preview;
  if (files.length < 2) return null;
  return (
    <Box component="details" sx={{ mb: 1, color: 'text.secondary' }}>
      <Box component="summary" sx={{ cursor: 'pointer' }}>
        {text(formatNumber(files.length), hasMoreFiles)}
      </Box>
      <Box component="ul" aria-label={texts.files} sx={{ m: 0, pl: 3, maxHeight: 160, overflow: 'auto' }}>
        {files.map((name, at) => (
          <Box component="li" key={at} sx={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
          </Box>
        ))}
      </Box>
    </Box>
  );
};

/** The step that shows the first rows, and says who will see them. */
export const RowsStep = ({
  draft,
  preview,
  known,
  error,
  isOutdated,
  visibility,
  onChange,
}: RowsStepProps): ReactElement => {
  const { choice, options } = draft;
  const isDatabase = !hasFiles(draft);
  const isDocument = isDocumentImport(draft);
  const isUnreadable = isError(error, 'FileParseError');
  const hasRead = known !== undefined || isUnreadable || error === null;
  return (
    <Box
      sx={{
        flex: 1,
        minHeight: 0,
        display: 'grid',
        gap: 3,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '320px minmax(0, 1fr)' },
        gridTemplateRows: { xs: 'auto', md: 'minmax(0, 1fr)' },
      }}
    >
      <Box sx={{ minWidth: 0, overflowY: { md: 'auto' }, pr: { md: 1 } }}>
        {hasRead && !isDatabase && (
          <HintedCheckbox
            text={uploadsText.storeAsDocuments}
            hint={uploadsText.storeAsDocumentsHint}
            isChecked={isDocument}
            onChange={(asDocuments) =>
              onChange({ ...draft, asDocuments, options: {}, writeMode: 'append', keyColumns: [] })
            }
          />
        )}
        {hasRead && isDocument && (
          <OcrLanguages
            chosen={draft.ocrLanguages}
            onChange={(ocrLanguages) => onChange({ ...draft, ocrLanguages })}
          />
        )}
        {hasRead && (
          <LabelOptions
            choice={choice}
            fields={isDocument ? undefined : knownFields(known)}
            onChange={(changed) => onChange({ ...draft, choice: changed })}
          />
        )}
        {known !== undefined && !isDocument && (!isDatabase || known.sourceColumns !== null) && (
          <>
            <Typography variant="h2" sx={{ mt: 3, mb: 1 }}>
              {texts.columnsTitle}
            </Typography>
            {isDatabase ? (
              <ColumnOptions
                names={known.sourceColumns ?? []}
                found={known.columns ?? []}
                columns={options.columns ?? []}
                onChange={(columns) => onChange({ ...draft, options: columns.length > 0 ? { columns } : {} })}
              />
            ) : (
              <ReadingOptions
                preview={known}
                options={options}
                onChange={(changed) => onChange({ ...draft, options: changed })}
              />
            )}
          </>
        )}
      </Box>
      <Box sx={{ minWidth: 0, minHeight: { xs: 320, md: 0 }, display: 'flex', flexDirection: 'column' }}>
        {isDocument && hasRead && (
          <>
            {preview !== undefined && <FileNames preview={preview} text={texts.documentsRead} />}
            <DocumentOutcome
              preview={preview}
              isReading={preview === undefined && error === null}
              visibility={visibility?.get(choice.label)}
            />
            {draft.connection !== undefined && (
              <Typography variant="caption" component="p" sx={{ mt: 1, color: 'text.secondary' }}>
                {texts.visiblePagesOnly}
              </Typography>
            )}
            {draft.kind === 'URL' && (
              <Typography variant="caption" component="p" sx={{ mt: 1, color: 'text.secondary' }}>
                {texts.namesOfAddresses}
              </Typography>
            )}
          </>
        )}
        {error !== null && !(isDocument && isUnreadable) && (
          <ErrorState
            title={isUnreadable ? texts.fileUnreadable : texts.sourceFailed}
            {...describeError(error)}
          />
        )}
        {isUnreadable && !isDocument && (
          <EmptyState title={texts.noPreview}>{texts.noPreviewHint}</EmptyState>
        )}
        {preview !== undefined && error === null && !isDocument && (
          <>
            <Typography role="status" sx={{ mb: 1, color: 'text.secondary' }}>
              {isOutdated ? texts.readingRows : describePreview(preview, visibility)}
            </Typography>
            {draft.connection !== undefined && (
              <Typography variant="caption" component="p" sx={{ mb: 1, color: 'text.secondary' }}>
                {texts.visibleRowsOnly}
              </Typography>
            )}
            <FileNames preview={preview} text={texts.filesRead} />
            {visibility !== undefined && seesNone(preview, visibility) && (
              <Typography sx={{ mb: 1, color: 'warning.main' }}>{uploadsText.seesNone}</Typography>
            )}
            {preview.error !== null && <InlineError message={preview.error} />}
            <PreviewTable preview={preview} visibility={visibility} />
          </>
        )}
        {!isDocument && preview === undefined && error === null && (
          <TableSkeleton label={texts.readingRows} rows={16} />
        )}
      </Box>
    </Box>
  );
};
