import type { FileReceipt } from '@redoubt/contract';
import {
  ErrorState,
  formatBytes,
  formatNumber,
  PageHeader,
  StateChip,
  tableSx,
  TableSkeleton,
} from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { getRouteApi } from '@tanstack/react-router';
import { Check, CircleSlash, Clock, LoaderCircle, TriangleAlert } from '@redoubt/ui/icons';
import type { ReactElement } from 'react';
import { useDataset } from '../../api/datasets-query.ts';
import { FilledText } from '../../parts/FilledText.tsx';
import { formatTime } from '../../parts/format-time.ts';
import { DataTable } from '../../parts/DataTable.tsx';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { LoadProblem } from '../../parts/LoadProblem.tsx';
import { MoreFiles } from '../../parts/receipt/MoreFiles.tsx';
import { useReceipt } from '../../parts/receipt/use-receipt.ts';
import { hasEnded, maxRejectedRows, useChangeJob, useIngestJob, useRejectedRows } from './jobs.ts';
import { uploadsText as texts } from '../../text/uploads.ts';

const route = getRouteApi('/imports/$jobId');

const icon = { size: 12, strokeWidth: 2, 'aria-hidden': true } as const;
const icons = {
  queued: <Clock {...icon} />,
  running: <LoaderCircle {...icon} />,
  completed: <Check {...icon} />,
  failed: <TriangleAlert {...icon} />,
  canceled: <CircleSlash {...icon} />,
} as const;

const tones = {
  queued: 'neutral',
  running: 'info',
  completed: 'success',
  failed: 'error',
  canceled: 'neutral',
} as const;

const numberOr = (value: number | null): string => (value === null ? '–' : formatNumber(value));

const wideOnly = { display: { xs: 'none', sm: 'table-cell' } } as const;

/** What the columns say that a phone has no room for. */
const fileFacts = ({ size, received, dropped }: FileReceipt): string =>
  texts.fileFacts(size === null ? '–' : formatBytes(size), numberOr(received), numberOr(dropped));

const Files = ({ files }: { files: readonly FileReceipt[] }): ReactElement => (
  <Box sx={{ overflowX: 'auto', ...tableSx }} tabIndex={0}>
    <Table size="small" aria-label={texts.files}>
      <TableHead>
        <TableRow>
          <TableCell>{texts.file}</TableCell>
          <TableCell align="right" sx={wideOnly}>
            {texts.size}
          </TableCell>
          <TableCell align="right" sx={wideOnly}>
            {texts.rows}
          </TableCell>
          <TableCell align="right">{texts.stored}</TableCell>
          <TableCell align="right">{texts.rejectedHeading}</TableCell>
          <TableCell align="right" sx={{ ...wideOnly, whiteSpace: 'nowrap' }}>
            {texts.leftOutByLabel}
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {files.map((file) => (
          <TableRow key={file.id}>
            <TableCell sx={{ overflowWrap: 'anywhere' }}>
              <bdi>{file.name}</bdi>
              <Typography
                variant="caption"
                component="p"
                sx={{ display: { sm: 'none' }, color: 'text.secondary' }}
              >
                {fileFacts(file)}
              </Typography>
              {file.error !== null && (
                <Typography variant="caption" component="p" sx={{ color: 'error.main' }}>
                  {file.error}
                </Typography>
              )}
            </TableCell>
            <TableCell align="right" sx={{ ...wideOnly, whiteSpace: 'nowrap' }}>
              {file.size === null ? '–' : formatBytes(file.size)}
            </TableCell>
            <TableCell align="right" sx={wideOnly}>
              {numberOr(file.received)}
            </TableCell>
            <TableCell align="right">{formatNumber(file.written)}</TableCell>
            <TableCell align="right">{numberOr(file.rejected)}</TableCell>
            <TableCell align="right" sx={wideOnly}>
              {numberOr(file.dropped)}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  </Box>
);

const Rejects = ({ jobId, datasetId }: { jobId: string; datasetId: string }): ReactElement | null => {
  const { data } = useRejectedRows(jobId, datasetId);
  if (data === undefined || data.total === 0) return null;
  const isCut = data.total > data.data.length;
  return (
    <Box component="section" sx={{ mt: 3 }}>
      <Typography variant="h2" sx={{ mb: 1 }}>
        {isCut
          ? texts.firstRejected(formatNumber(maxRejectedRows), formatNumber(data.total))
          : texts.rejectedCount(data.total)}
      </Typography>
      <DataTable
        isStacked
        label={texts.rejectedRows}
        headings={texts.rejectedHeadings}
        rows={data.data.map((row) => ({
          key: row.id,
          cells: [
            row.reason,
            formatNumber(row.line),
            <code key="row">
              <bdi>{row.text}</bdi>
            </code>,
          ],
        }))}
      />
      <Typography variant="caption" component="p" sx={{ mt: 1, color: 'text.secondary' }}>
        {texts.rejectedHint}
      </Typography>
    </Box>
  );
};

/** The page of one import: its progress, and then how many rows of each file were stored. */
export const ReceiptPage = (): ReactElement => {
  const { jobId } = route.useParams();
  const { data, error, refetch } = useIngestJob(jobId);
  const receipt = useReceipt(jobId, {
    isEnabled: data !== undefined && hasEnded(data.job),
    isRunning: false,
  });
  const change = useChangeJob();
  const dataset = useDataset(data?.job.datasetId);
  if (error !== null) {
    return (
      <LoadProblem
        error={error}
        absent={texts.noSuchImport}
        absentHint={texts.noSuchImportHint}
        failed={texts.receiptFailed}
        onRetry={() => void refetch()}
      >
        <LinkButton to="/datasets">{texts.openYourDatasets}</LinkButton>
      </LoadProblem>
    );
  }
  if (data === undefined) return <TableSkeleton label={texts.loadingImport} hasTitle />;
  const { job, messagesLeft } = data;
  const isRunning = !hasEnded(job);
  const percent = job.progress ?? 0;
  // Topics have no size, and others have none before they are read.
  const isMeasured = percent > 0;
  const progress = isMeasured
    ? texts.progress(percent, job.recordCount)
    : texts.readingSource(job.recordCount);
  const facts = isRunning ? progress : texts.started(formatTime(job.createdAt));
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{`${texts.import} · Redoubt`}</title>
      <PageHeader
        title={
          dataset.data === undefined ? (
            texts.import
          ) : (
            <FilledText text={texts.importInto} values={{ dataset: <bdi>{dataset.data.name}</bdi> }} />
          )
        }
        facts={
          <>
            <StateChip tone={tones[job.status]} icon={icons[job.status]}>
              {job.status}
            </StateChip>{' '}
            {messagesLeft === undefined ? facts : texts.messagesLeft(facts, messagesLeft)}
          </>
        }
        actions={
          <>
            {isRunning && (
              <Button onClick={() => change.mutate({ id: jobId, status: 'canceled' })}>{texts.cancel}</Button>
            )}
            <LinkButton to="/datasets/$id" params={{ id: job.datasetId }} variant="contained" color="primary">
              {texts.openDataset}
            </LinkButton>
          </>
        }
      />
      {isRunning && (
        <LinearProgress
          variant={isMeasured ? 'determinate' : 'indeterminate'}
          aria-label={texts.partRead}
          value={percent}
        />
      )}
      {job.error !== null && <ErrorState title={texts.theImportFailed} message={job.error.message} />}
      {receipt.data !== undefined && (
        <>
          <Files files={receipt.data.files} />
          <MoreFiles {...receipt} />
          {receipt.data.files.some(({ dropped }) => (dropped ?? 0) > 0) && (
            <Typography variant="caption" component="p" sx={{ mt: 1, color: 'text.secondary' }}>
              {texts.leftOutHint}
            </Typography>
          )}
          <Rejects jobId={jobId} datasetId={job.datasetId} />
        </>
      )}
    </Box>
  );
};
