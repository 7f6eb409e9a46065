import type { FileReceipt, Job, Segment } from '@redoubt/contract';
import { ErrorState, formatNumber, PageHeader, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { describeError, isError } from '../../api/client.ts';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { LoadProblem } from '../../parts/LoadProblem.tsx';
import { formatDuration, formatTime } from '../../parts/format-time.ts';
import { durationOf, jobNames } from './job-text.ts';
import { isOpen, useChangeJob, useJob, useReceipt, useSegments } from './jobs.ts';
import { StatusChip } from './StatusChip.tsx';
import { jobsText as texts } from '../../text/jobs.ts';

const route = getRouteApi('/jobs/$id');
const count = (value: number | null): string => (value === null ? '–' : formatNumber(value));

const Figures = ({
  label,
  head,
  children,
}: {
  label: string;
  head: readonly string[];
  children: ReactNode;
}) => (
  <Box sx={{ overflowX: 'auto', mb: 3 }} tabIndex={0} role="region" aria-label={label}>
    <Typography variant="h2" sx={{ mb: 1 }}>
      {label}
    </Typography>
    <Table size="small">
      <TableHead>
        <TableRow>
          {head.map((name, at) => (
            <TableCell key={name} align={at === 0 ? 'left' : 'right'}>
              {name}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>{children}</TableBody>
    </Table>
  </Box>
);

const Receipt = ({ job }: { job: Job }): ReactElement | null => {
  const { data, error } = useReceipt(job);
  if (error !== null && !isError(error, 'NotFoundError')) {
    return <ErrorState title={texts.receiptFailed} {...describeError(error)} />;
  }
  if (data === undefined || data.files.length === 0) return null;
  const files: readonly FileReceipt[] = data.files;
  return (
    <Figures label={texts.receipt} head={['File', 'Rows', 'Stored', 'Rejected', 'Dropped', 'Already there']}>
      {files.map(({ id, name, received, written, rejected, dropped, duplicate }) => (
        <TableRow key={id}>
          <TableCell>
            <bdi>{name}</bdi>
          </TableCell>
          <TableCell align="right">{count(received)}</TableCell>
          <TableCell align="right">{count(written)}</TableCell>
          <TableCell align="right">{count(rejected)}</TableCell>
          <TableCell align="right">{count(dropped)}</TableCell>
          <TableCell align="right">{count(duplicate)}</TableCell>
        </TableRow>
      ))}
    </Figures>
  );
};

const Segments = ({ job }: { job: Job }): ReactElement | null => {
  const { data } = useSegments(job);
  const segments: readonly Segment[] = data?.data ?? [];
  if (segments.length === 0) return null;
  return (
    <Figures label={texts.segments} head={['State', 'Stage', 'Bytes read', 'Bytes', 'Records']}>
      {segments.map((segment) => (
        <TableRow key={segment.id}>
          <TableCell>
            <StatusChip status={segment.status} />
            {segment.error !== null && (
              <Typography variant="caption" component="p" sx={{ color: 'error.main' }}>
                {segment.error.message}
              </Typography>
            )}
          </TableCell>
          <TableCell align="right">{count(segment.stage)}</TableCell>
          <TableCell align="right">{count(segment.bytesRead)}</TableCell>
          <TableCell align="right">{count(segment.bytesTotal)}</TableCell>
          <TableCell align="right">{count(segment.recordCount)}</TableCell>
        </TableRow>
      ))}
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
