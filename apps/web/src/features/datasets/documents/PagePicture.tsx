import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import type { ReactElement } from 'react';
import { documentsText as texts } from '../../../text/documents.ts';
import { useMediaPath, usePageWords, type DocumentPageRecord } from './documents.ts';
import { wordsInRanges, type Range } from './page-marks.ts';

const percent = (part: number | undefined, whole: number): string =>
  `${String(((part ?? 0) / whole) * 100)}%`;

interface PagePictureProps {
  datasetId: string;
  page: DocumentPageRecord;
  ranges: readonly Range[];
}

/** The picture of a page with the matches of a search marked on it, or the video of the document. */
export const PagePicture = ({ datasetId, page, ranges }: PagePictureProps): ReactElement => {
  const { documentId, isVideo, fileName } = page;
  const picture = useMediaPath(datasetId, documentId, isVideo ? undefined : page.page, true);
  const words = usePageWords(datasetId, documentId, page.page, !isVideo && ranges.length > 0);
  if (picture.error !== null)
    return <Typography sx={{ py: 2, color: 'text.secondary' }}>{texts.noPicture}</Typography>;
  if (picture.data === undefined)
    return <Skeleton variant="rectangular" sx={{ width: '100%', aspectRatio: '3 / 4', height: 'auto' }} />;
  if (isVideo)
    return (
      <Box
        component="video"
        controls
        preload="metadata"
        src={picture.data}
        aria-label={texts.video(fileName)}
        sx={{ width: '100%', maxHeight: '75vh', backgroundColor: 'background.sunken' }}
      />
    );
  const { width = 1, height = 1 } = words.data ?? {};
  const marked = words.data === undefined ? [] : wordsInRanges(page.text, words.data.words, ranges);
  return (
    <Box sx={{ position: 'relative', border: 1, borderColor: 'divider' }}>
      <Box
        component="img"
        src={picture.data}
        alt={texts.picture(page.page)}
        sx={{ display: 'block', width: '100%' }}
      />
      {marked.map(({ box: [left, top, wide, high] }, at) => (
        <Box
          key={at}
          data-mark
          aria-hidden
          sx={{
            position: 'absolute',
            left: percent(left, width),
            top: percent(top, height),
            width: percent(wide, width),
            height: percent(high, height),
            // Paper is light in both colour schemes, so the mark is, too.
            backgroundColor: '#FFE08A',
            mixBlendMode: 'multiply',
            outline: '1px solid #8A5A00',
          }}
        />
      ))}
    </Box>
  );
};
