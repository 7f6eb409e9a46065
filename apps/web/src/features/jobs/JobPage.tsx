import type { Job, Segment } from '@redoubt/contract';
import { ErrorState, formatBytes, formatNumber, PageHeader, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { describeError, isError } from '../../api/client.ts';
import { DataTable } from '../../parts/DataTable.tsx';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { LoadProblem } from '../../parts/LoadProblem.tsx';
import { MoreFiles } from '../../parts/receipt/MoreFiles.tsx';
import { useReceipt } from '../../parts/receipt/use-receipt.ts';
import { formatDuration, formatTime } from '../../parts/format-time.ts';
import { durationOf, jobNames } from './job-text.ts';
import { isOpen, useChangeJob, useJob, useSegments } from './jobs.ts';
import { StatusChip } from './StatusChip.tsx';
import { jobsText as texts } from '../../text/jobs.ts';

const route = getRouteApi('/jobs/$id');
const count = (value: number | null): string => (value === null ? '–' : formatNumber(value));
const bytes = (value: number | null): string => (value === null ? '–' : formatBytes(value));

interface FiguresProps {
  label: string;
  /** What follows the table. */
  children?: ReactNode;
  headings: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

const Figures = ({ label, headings, rows, children }: FiguresProps): ReactElement => (
  <Box component="section" sx={{ mb: 3 }}>
    <Typography variant="h2" sx={{ mb: 1 }}>
      {label}
    </Typography>
    <DataTable isStacked label={label} headings={headings} rows={rows} />
    {children}
  </Box>
);

const Receipt = ({ job }: { job: Job }): ReactElement | null => {
  const receipt = useReceipt(job.id, { isEnabled: job.type === 'ingest', isRunning: isOpen(job) });
  const { data, error } = receipt;
  if (error !== null && !isError(error, 'NotFoundError')) {
    return <ErrorState title={texts.receiptFailed} {...describeError(error)} />;
  }
  if (data === undefined || data.files.length === 0) return null;
  return (
    <Figures
      label={texts.receipt}
      headings={texts.receiptHeadings}
      rows={data.files.map(({ id, name, received, written, rejected, dropped, duplicate }) => ({
        key: id,
        cells: [
          <bdi key="name">{name}</bdi>,
          count(received),
          count(written),
          count(rejected),
          count(dropped),
          count(duplicate),
        ],
      }))}
    >
      <MoreFiles {...receipt} />
      {data.files.some(({ rejected }) => (rejected ?? 0) > 0) && (
        <LinkButton to="/imports/$jobId" params={{ jobId: job.id }} variant="outlined" sx={{ mt: 1 }}>
          {texts.rejectedRows}
        </LinkButton>
      )}
    </Figures>
  );
};

const Segments = ({ job }: { job: Job }): ReactElement | null => {
  const { data } = useSegments(job);
  const segments: readonly Segment[] = data?.data ?? [];
  const total = data?.total ?? 0;
  if (segments.length === 0) return null;
  return (
    <Figures
      label={texts.segments}
      headings={texts.segmentHeadings}
      rows={segments.map((segment) => ({
        key: segment.id,
        cells: [
          <Box key="state">
            <StatusChip status={segment.status} />
            {segment.error !== null && (
              <Typography variant="caption" component="p" sx={{ color: 'error.main' }}>
                {segment.error.message}
              </Typography>
            )}
          </Box>,
          count(segment.stage),
          bytes(segment.bytesRead),
          bytes(segment.bytesTotal),
          count(segment.recordCount),
        ],
      }))}
    >
      {segments.length < total && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 1 }}>
          {texts.newestSegments(segments.length, total)}
        </Typography>
      )}
    </Figures>
  );
};

const Facts = ({ job }: { job: Job }): ReactElement => {
  const duration = durationOf(job, new Date());
  const facts: readonly string[] = [
    ...(job.stage !== null && job.totalStages !== null
      ? [`${formatNumber(job.stage)} of ${formatNumber(job.totalStages)} stages done`]
      : []),
    ...(job.recordCount === null ? [] : [`${formatNumber(job.recordCount)} records`]),
    `started ${formatTime(job.createdAt)}`,
    ...(duration === undefined ? [] : [`ran ${formatDuration(duration)}`]),
  ];
  return (
    <>
      <Link to="/jobs">{texts.allJobs}</Link> · {facts.join(' · ')}
    </>
  );
};

/** The page of one job: its stages, progress, receipt and segments, updated while it runs. */
export const JobPage = (): ReactElement => {
  const { id } = route.useParams();
  const { data: job, error, refetch } = useJob(id);
  const change = useChangeJob();
  if (error !== null && job === undefined) {
    return (
      <LoadProblem
        error={error}
        absent={texts.absent}
        absentHint={texts.absentHint}
        failed={texts.jobFailed}
        onRetry={() => void refetch()}
      >
        <LinkButton to="/jobs">{texts.openJobs}</LinkButton>
      </LoadProblem>
    );
  }
  if (job === undefined) return <TableSkeleton label={texts.loadingJob} hasTitle />;
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{texts.pageTitleOf(jobNames[job.type])}</title>
      <PageHeader
        title={
          <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5 }}>
            {jobNames[job.type]}
            <Box component="span" role="status" sx={{ display: 'inline-flex' }}>
              <StatusChip status={job.status} />
            </Box>
          </Box>
        }
        facts={<Facts job={job} />}
        actions={
          <>
            {isOpen(job) && (
              <Button disabled={change.isPending} onClick={() => change.mutate({ id, status: 'canceled' })}>
                {texts.cancelJob}
              </Button>
            )}
            <LinkButton to="/datasets/$id" params={{ id: job.datasetId }}>
              {texts.openDataset}
            </LinkButton>
            {(job.status === 'failed' || job.status === 'canceled') && (
              <Button
                variant="contained"
                color="primary"
                disabled={change.isPending}
                onClick={() => change.mutate({ id, status: 'queued' })}
              >
                {texts.retry}
              </Button>
            )}
          </>
        }
      />
      {isOpen(job) && (
        <LinearProgress
          variant={job.progress === null ? 'indeterminate' : 'determinate'}
          value={job.progress ?? 0}
          aria-label={texts.progress}
          sx={{ mb: 2 }}
        />
      )}
      {change.isError && <ErrorState title={texts.notChanged} {...describeError(change.error)} />}
      {job.error !== null && <ErrorState title={texts.ended} message={job.error.message} />}
      <Receipt job={job} />
      <Segments job={job} />
    </Box>
  );
};
