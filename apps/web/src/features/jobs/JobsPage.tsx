import type { Dataset, Job } from '@redoubt/contract';
import { EmptyState, ErrorState, formatNumber, PageHeader, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { datasetsQuery } from '../../api/datasets-query.ts';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { formatDay, formatDuration, formatTime } from '../../parts/format-time.ts';
import { durationOf, jobNames } from './job-text.ts';
import { useJobs } from './jobs.ts';
import { StatusChip } from './StatusChip.tsx';
import { jobsText as texts } from '../../text/jobs.ts';

const wideOnly = { display: { xs: 'none', md: 'table-cell' } } as const;

/** On narrow screens the dataset is below the job, in two lines at most. */
const narrowOnly = {
  display: { xs: '-webkit-box', md: 'none' },
  WebkitLineClamp: '2',
  WebkitBoxOrient: 'vertical',
  overflow: 'hidden',
} as const;

const JobRow = ({ job, dataset }: { job: Job; dataset: string | undefined }): ReactElement => {
  const duration = durationOf(job, new Date());
  return (
    <TableRow hover>
      <TableCell>
        <Link to="/jobs/$id" params={{ id: job.id }}>
          {jobNames[job.type]}
        </Link>
        <Typography
          variant="caption"
          component="p"
          title={dataset}
          sx={{ ...narrowOnly, color: 'text.secondary', overflowWrap: 'anywhere' }}
        >
          <bdi>{dataset ?? texts.hiddenDataset}</bdi>
        </Typography>
        <Typography variant="caption" component="p" sx={{ display: { md: 'none' }, color: 'text.secondary' }}>
          {formatDay(job.createdAt)}
        </Typography>
      </TableCell>
      <TableCell sx={wideOnly}>
        <bdi>{dataset ?? texts.hiddenDataset}</bdi>
      </TableCell>
      <TableCell>
        <StatusChip status={job.status} />
      </TableCell>
      <TableCell align="right" sx={{ minWidth: 96 }}>
        {job.status === 'running' && job.progress !== null ? (
          <LinearProgress
            variant="determinate"
            value={job.progress}
            aria-label={texts.progressOf(jobNames[job.type])}
          />
        ) : (
          job.recordCount !== null && formatNumber(job.recordCount)
        )}
      </TableCell>
      <TableCell align="right" sx={wideOnly}>
        {duration === undefined ? '–' : formatDuration(duration)}
      </TableCell>
      <TableCell sx={{ ...wideOnly, whiteSpace: 'nowrap' }}>{formatTime(job.createdAt)}</TableCell>
    </TableRow>
  );
};

/** The jobs that the person started, updated while they run. */
export const JobsPage = (): ReactElement => {
  const { data, error, refetch } = useJobs();
  const datasets = useQuery(datasetsQuery);
  const names = new Map((datasets.data?.data ?? []).map(({ id, name }: Dataset) => [id, name]));
  const jobs: readonly Job[] = data?.data ?? [];
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{texts.pageTitle}</title>
      <PageHeader
        title={texts.jobs}
        facts={
          data !== undefined &&
          jobs.length > 0 &&
          (data.total > jobs.length ? texts.newest(jobs.length, data.total) : texts.ownCount(jobs.length))
        }
        actions={
          <LinkButton to="/datasets/new" variant="contained" color="primary">
            {texts.importFiles}
          </LinkButton>
        }
      />
      {error !== null && (
        <ErrorState title={texts.jobsFailed} {...describeError(error)} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && (
        <TableSkeleton label={texts.loadingJobs} columns={[3, 3, 2, 1, 1, 3]} />
      )}
      {data !== undefined && jobs.length === 0 && (
        <EmptyState title={texts.none}>{texts.noneHint}</EmptyState>
      )}
      {jobs.length > 0 && (
        <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label={texts.ownJobs}>
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>{texts.job}</TableCell>
                <TableCell sx={wideOnly}>{texts.dataset}</TableCell>
                <TableCell>{texts.state}</TableCell>
                <TableCell align="right">{texts.records}</TableCell>
                <TableCell align="right" sx={wideOnly}>
                  {texts.duration}
                </TableCell>
                <TableCell sx={wideOnly}>{texts.started}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {jobs.map((job) => (
                <JobRow key={job.id} job={job} dataset={names.get(job.datasetId)} />
              ))}
            </TableBody>
          </Table>
        </Box>
      )}
    </Box>
  );
};
