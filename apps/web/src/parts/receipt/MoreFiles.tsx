import { formatNumber } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactElement } from 'react';
import { receiptText as texts } from '../../text/receipt.ts';
import type { LoadedReceipt } from './use-receipt.ts';

/** Says how many files of a receipt are shown, and loads more. Shows nothing where all are there. */
export const MoreFiles = ({
  data,
  hasNextPage,
  isFetchingNextPage,
  fetchNextPage,
}: LoadedReceipt): ReactElement | null =>
  data === undefined || !hasNextPage ? null : (
    <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', mt: 1 }}>
      <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {texts.showMore}
      </Button>
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {texts.filesShown(formatNumber(data.files.length), formatNumber(data.fileCount))}
      </Typography>
    </Box>
  );
