import { formatBytes, formatNumber, StateChip } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { Link } from '@tanstack/react-router';
import {
  Check,
  ChevronDown,
  ChevronUp,
  CircleSlash,
  LoaderCircle,
  TriangleAlert,
  X,
} from '@redoubt/ui/icons';
import { useState, type ReactElement } from 'react';
import { describeError, isError } from '../../api/client.ts';
import { useChangeJob, useIngestJob, useReceiptSums } from './jobs.ts';
import { useUploads, type Upload } from './uploads-context.ts';
import { uploadsText as texts } from '../../text/uploads.ts';

const icon = { size: 12, strokeWidth: 2, 'aria-hidden': true } as const;

const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.min(100, (part / whole) * 100);

interface Progress {
  /** Whether the upload can be retried. */
  hasFailed?: boolean;
  chip: ReactElement;
  /** The progress in percent; undefined if nothing is running. */
  value?: number;
  text: string;
}

const running = (word: string): ReactElement => (
  <StateChip tone="info" icon={<LoaderCircle {...icon} />}>
    {word}
  </StateChip>
);
const failed = (
  <StateChip tone="error" icon={<TriangleAlert {...icon} />}>
    {texts.failed}
  </StateChip>
);
const canceled = (
  <StateChip tone="neutral" icon={<CircleSlash {...icon} />}>
    {texts.canceled}
  </StateChip>
);

/** If the whole request was sent but no response came, it is unknown whether the server received it. */
const describeFailure = ({ sent, total, error }: Pick<Upload, 'sent' | 'total' | 'error'>): string =>
  isError(error, 'HttpClientError') && sent > 0 && sent >= total
    ? 'The connection was lost after everything was sent. Look under Jobs whether the server got it before you try again: it would be stored twice.'
    : describeError(error).message;

const useProgress = ({ state, sent, total, jobId, error }: Upload): Progress => {
  const { data, error: jobError } = useIngestJob(jobId);
  const status = data?.job.status;
  const receipt = useReceiptSums(jobId ?? '', status === 'completed');
  if (state === 'failed')
    return { hasFailed: true, chip: failed, text: describeFailure({ sent, total, error }) };
  if (state === 'canceled') return { hasFailed: true, chip: canceled, text: texts.nothingWasStored };
  if (state === 'sending') {
    const text = `${formatBytes(sent)} of ${formatBytes(total)} sent`;
    return { chip: running('sending'), value: percent(sent, total), text };
  }
  if (jobError !== null) return { chip: failed, text: describeError(jobError).message };
  if (data === undefined || status === 'queued')
    return { chip: running('queued'), value: 0, text: texts.received };
  const { job } = data;
  const records = job.recordCount ?? 0;
  if (status === 'running') {
    const value = job.progress ?? 0;
    return { chip: running('storing'), value, text: texts.progress(value, job.recordCount) };
  }
  if (status === 'canceled')
    return { hasFailed: true, chip: canceled, text: texts.storedBefore(formatNumber(records)) };
  if (status === 'failed') {
    return { hasFailed: true, chip: failed, text: job.error?.message ?? texts.seeReceipt };
  }
  const { rejected, dropped, written } = receipt.data ?? {};
  const text = texts.outcome(written ?? records, rejected ?? 0, dropped ?? 0);
  return (rejected ?? 0) > 0 || (dropped ?? 0) > 0
    ? {
        chip: (
          <StateChip tone="warning" icon={<TriangleAlert {...icon} />}>
            {texts.partial}
          </StateChip>
        ),
        text,
      }
    : {
        chip: (
          <StateChip tone="success" icon={<Check {...icon} />}>
            {texts.done}
          </StateChip>
        ),
        text,
      };
};

const UploadRow = ({ upload }: { upload: Upload }): ReactElement => {
  const { cancelSending, dismiss, retry } = useUploads();
  const changeJob = useChangeJob();
  const { chip, value, text, hasFailed } = useProgress(upload);
  const { id, jobId, datasetId, datasetName, fileCount } = upload;
  const isRunning = value !== undefined;
  return (
    <Box component="li" sx={{ px: 2, py: 1, borderTop: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Box
          sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
        >
          <Link to="/datasets/$id" params={{ id: datasetId }}>
            <bdi>{datasetName}</bdi>
          </Link>{' '}
          <Typography variant="caption" component="span" sx={{ color: 'text.secondary' }}>
            {fileCount === 1 ? texts.oneFile : texts.fileCount(formatNumber(fileCount))}
          </Typography>
        </Box>
        {chip}
        {!isRunning && (
          <IconButton aria-label={texts.dismissUpload(datasetName)} onClick={() => dismiss(id)}>
            <X size={16} strokeWidth={1.5} aria-hidden />
          </IconButton>
        )}
      </Box>
      {isRunning && (
        <LinearProgress
          variant="determinate"
          value={value}
          aria-label={texts.uploadTo(datasetName)}
          sx={{ my: 1 }}
        />
      )}
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 32 }}>
        <Typography variant="caption" sx={{ flex: 1, color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {text}
        </Typography>
        {jobId !== undefined && (
          <Link to="/imports/$jobId" params={{ jobId }}>
            {texts.receipt}
          </Link>
        )}
        {hasFailed === true && (
          <Button
            variant="text"
            aria-label={texts.retryUpload(datasetName)}
            onClick={() =>
              jobId === undefined ? retry(id) : changeJob.mutate({ id: jobId, status: 'queued' })
            }
            disabled={changeJob.isPending}
          >
            {texts.retry}
          </Button>
        )}
        {isRunning && (
          <Button
            variant="text"
            onClick={() =>
              jobId === undefined ? cancelSending(id) : changeJob.mutate({ id: jobId, status: 'canceled' })
            }
          >
            {texts.cancel}
          </Button>
        )}
      </Box>
    </Box>
  );
};

/** The uploads of this page, shown above its content until they are dismissed. */
export const UploadTray = (): ReactElement | null => {
  const { all } = useUploads();
  const [isOpen, setIsOpen] = useState(true);
  if (all.length === 0) return null;
  const title = all.length === 1 ? '1 upload' : `${formatNumber(all.length)} uploads`;
  return (
    <Box
      component="section"
      aria-label={texts.uploads}
      sx={{
        position: 'fixed',
        zIndex: 3,
        right: { xs: 8, sm: 16 },
        left: { xs: 8, sm: 'auto' },
        bottom: { xs: 56, sm: 16 },
        width: { sm: 360 },
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        backgroundColor: 'background.paper',
        boxShadow: 4,
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', pl: 2, pr: 1, minHeight: 40 }}>
        <Typography sx={{ flex: 1, fontWeight: 500 }}>{title}</Typography>
        <IconButton
          aria-label={isOpen ? texts.foldUploads : texts.showUploads}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? <ChevronDown size={16} aria-hidden /> : <ChevronUp size={16} aria-hidden />}
        </IconButton>
      </Box>
      <Box
        component="ul"
        aria-live="polite"
        hidden={!isOpen}
        sx={{ listStyle: 'none', m: 0, p: 0, maxHeight: 320, overflow: 'auto' }}
      >
        {all.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </Box>
    </Box>
  );
};
