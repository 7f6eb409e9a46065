import type { FileOptions } from '@redoubt/contract';
import {
  EmptyState,
  ErrorState,
  formatNumber,
  InlineError,
  PageHeader,
  TableSkeleton,
  TextInput,
} from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { areDocuments, documentChoiceProblem } from './documents.ts';
import { DocumentOutcome } from './DocumentOutcome.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState, type ReactElement } from 'react';
import { api, describeError } from '../../api/client.ts';
import { HintedCheckbox } from '../../parts/HintedOption.tsx';
import { datasetsQuery, useDataset } from '../../api/datasets-query.ts';
import { keys } from '../../api/keys.ts';
import { usePerson } from '../../api/shared-queries.ts';
import { FilePicker } from './FilePicker.tsx';
import { choiceProblem, noLabels, toAccessControlLabel, type LabelChoice } from './label-choice.ts';
import { LabelOptions } from './LabelOptions.tsx';
import { describePreview } from './describe-preview.ts';
import { useDocumentPreview, useLabelVisibility, usePreview } from './preview.ts';
import { knownFields } from './known-fields.ts';
import { OcrLanguages } from './OcrLanguages.tsx';
import { PreviewTable } from './PreviewTable.tsx';
import { ReadingOptions } from './ReadingOptions.tsx';
import { seesNone } from './sees-none.ts';
import { useUploads } from './uploads-context.ts';
import { uploadsText as texts } from '../../text/uploads.ts';
import { FilledText } from '../../parts/FilledText.tsx';

const noTexts: readonly string[] = [];

/** The suggested name of a dataset for this file: `air traffic.csv.gz` gives `air traffic`. */
const nameFrom = (file: File | undefined): string => file?.name.replace(/(\.[a-z0-9]{1,8})+$/i, '') ?? '';

/**
 * The page that imports files into a new dataset or the given one. It shows how the files are read, who will see the
 * rows, and the first rows.
 */
export const ImportPage = ({ datasetId }: { datasetId?: string }): ReactElement => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const uploads = useUploads();
  const me = usePerson();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [shownFile, setShownFile] = useState<File>();
  const [name, setName] = useState<string>();
  const [options, setOptions] = useState<FileOptions>({});
  const [choice, setChoice] = useState<LabelChoice>(noLabels);
  const [asDocuments, setAsDocuments] = useState<boolean>();
  const [ocrLanguages, setOcrLanguages] = useState<readonly string[]>([]);
  const dataset = useDataset(datasetId);
  const shown = shownFile !== undefined && files.includes(shownFile) ? shownFile : files[0];
  const isDocument = asDocuments ?? areDocuments(files);
  const labelProblem = isDocument ? documentChoiceProblem(choice) : choiceProblem(choice);
  const preview = usePreview(isDocument ? undefined : shown, options, choice);
  const pages = useDocumentPreview(isDocument ? shown : undefined);
  const labels = useMemo(() => {
    if (isDocument) return choice.mode === 'one' ? [choice.label] : noTexts;
    return [...new Set(preview.data?.rows.flatMap(({ label }) => (label === null ? [] : [label])))];
  }, [preview.data, isDocument, choice]);
  // While the preview of a changed choice is loading, its rows still have the labels of the previous choice.
  const isLabelled = labelProblem === undefined && (isDocument || !preview.isOutdated);
  const visibility = useLabelVisibility(isLabelled ? labels : noTexts, datasetId);
  const title = name ?? nameFrom(files[0]);
  const { data: known } = useQuery({
    ...datasetsQuery,
    enabled: datasetId === undefined && files.length > 0,
  });
  const isTaken = known?.data.some((one) => one.name === title.trim()) === true;

  const start = useMutation({
    mutationFn: async () => {
      if (datasetId !== undefined) return { id: datasetId, name: dataset.data?.name ?? '' };
      return api.createDataset({ body: { workspaceId: me?.workspaceId ?? '', name: title.trim() } });
    },
    onSuccess: (target) => {
      void client.invalidateQueries({ queryKey: keys.datasets });
      uploads.start({
        datasetId: target.id,
        datasetName: target.name,
        files,
        fileOptions: isDocument ? {} : options,
        label: toAccessControlLabel(choice),
        isDocument,
        ocrLanguages: isDocument ? ocrLanguages : [],
      });
      void navigate({ to: '/datasets/$id', params: { id: target.id } });
    },
  });

  if (
    datasetId !== undefined &&
    (dataset.error !== null || dataset.data?.currentUserPermissions.write === false)
  ) {
    return (
      <EmptyState title={dataset.error === null ? texts.mayNotWrite : texts.noSuchDataset}>
        <FilledText
          text={texts.openOrAsk}
          values={{ open: <Link to="/datasets">{texts.openYourDatasets}</Link> }}
        />
      </EmptyState>
    );
  }

  const problem =
    files.length === 0
      ? 'Choose a file first.'
      : datasetId === undefined && title.trim() === ''
        ? 'Type the name of the dataset.'
        : labelProblem;
  const count = files.length === 1 ? '1 file' : `${formatNumber(files.length)} files`;
  return (
    <Box
      sx={{
        p: { xs: 2, md: 3 },
        display: 'flex',
        flexDirection: 'column',
        minHeight: '100%',
        height: { md: '100%' },
      }}
    >
      <title>{`${texts.import} · Redoubt`}</title>
      <PageHeader
        title={
          datasetId === undefined ? (
            texts.importIntoNew
          ) : (
            <FilledText text={texts.importInto} values={{ dataset: <bdi>{dataset.data?.name}</bdi> }} />
          )
        }
        facts={problem ?? texts.nothingStoredYet}
        actions={
          <Button
            variant="contained"
            color="primary"
            disabled={problem !== undefined}
            loading={start.isPending}
            onClick={() => start.mutate()}
          >
            {files.length === 0 ? texts.import : texts.importFiles(count)}
          </Button>
        }
      />
      {start.error !== null && <InlineError message={describeError(start.error).message} />}
      <Box
        sx={{
          flex: 1,
          minHeight: 0,
          display: 'grid',
          gap: 3,
          gridTemplateColumns: {
            xs: 'minmax(0, 1fr)',
            md: files.length === 0 ? 'minmax(0, 1fr)' : '320px minmax(0, 1fr)',
          },
          gridTemplateRows: { xs: 'auto', md: 'minmax(0, 1fr)' },
        }}
      >
        <Box sx={{ minWidth: 0, overflowY: { md: 'auto' }, pr: { md: 1 } }}>
          <FilePicker
            files={files}
            shown={shown}
            onAdd={(added) => setFiles([...files, ...added])}
            onRemove={(removed) => setFiles(files.filter((file) => file !== removed))}
            onShow={setShownFile}
          />
          {datasetId === undefined && files.length > 0 && (
            <TextInput
              label={texts.datasetName}
              value={title}
              hint={isTaken ? texts.nameTaken : undefined}
              onChange={(event) => setName(event.target.value)}
            />
          )}
          {files.length > 0 && (
            <HintedCheckbox
              text={texts.storeAsDocuments}
              hint={texts.storeAsDocumentsHint}
              isChecked={isDocument}
              onChange={setAsDocuments}
            />
          )}
          {isDocument && (
            <>
              <OcrLanguages chosen={ocrLanguages} onChange={setOcrLanguages} />
              <LabelOptions choice={choice} fields={undefined} onChange={setChoice} />
            </>
          )}
          {!isDocument && preview.known !== undefined && (
            <>
              <LabelOptions choice={choice} fields={knownFields(preview.known)} onChange={setChoice} />
              <Typography variant="h2" sx={{ mt: 3, mb: 1 }}>
                {texts.howFilesAreRead}
              </Typography>
              <ReadingOptions preview={preview.known} options={options} onChange={setOptions} />
            </>
          )}
        </Box>
        <Box
          sx={{
            minWidth: 0,
            minHeight: { xs: 320, md: 0 },
            display: files.length === 0 ? 'none' : 'flex',
            flexDirection: 'column',
          }}
        >
          {pages.error !== null && (
            <ErrorState title={texts.fileUnreadable} {...describeError(pages.error)} />
          )}
          {isDocument && files.length > 0 && pages.error === null && (
            <DocumentOutcome
              preview={pages.data}
              isReading={pages.isFetching}
              visibility={isLabelled ? visibility.get(choice.label) : undefined}
            />
          )}
          {preview.error !== null && (
            <>
              <ErrorState title={texts.fileUnreadable} {...describeError(preview.error)} />
              {shown !== undefined && areDocuments([shown]) && (
                <EmptyState title={texts.recordPerPage}>{texts.documentAmongTables}</EmptyState>
              )}
            </>
          )}
          {preview.data !== undefined && preview.error === null && (
            <>
              <Typography role="status" sx={{ mb: 1, color: 'text.secondary' }}>
                {preview.isOutdated
                  ? texts.readingRows
                  : describePreview(preview.data, isLabelled ? visibility : undefined)}
              </Typography>
              {isLabelled && seesNone(preview.data, visibility) && (
                <Typography sx={{ mb: 1, color: 'warning.main' }}>{texts.seesNone}</Typography>
              )}
              {preview.data.error !== null && <InlineError message={preview.data.error} />}
              <PreviewTable preview={preview.data} visibility={isLabelled ? visibility : undefined} />
            </>
          )}
          {!isDocument && preview.data === undefined && preview.error === null && files.length > 0 && (
            <TableSkeleton label={texts.loadingRows} rows={16} />
          )}
        </Box>
      </Box>
    </Box>
  );
};
