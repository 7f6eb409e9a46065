import type { TextRange } from '@redoubt/ui';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { ZoomIn, ZoomOut } from '@redoubt/ui/icons';
import { useState, type ReactElement } from 'react';
import { usePageActions } from '../../../actions/page-actions.ts';
import { documentsText as texts } from '../../../text/documents.ts';
import { useMediaPath, usePageWords, type DocumentPageRecord } from './documents.ts';
import { wordsInRanges } from './page-marks.ts';

const percent = (part: number | undefined, whole: number): string =>
  `${String(((part ?? 0) / whole) * 100)}%`;

interface PagePictureProps {
  datasetId: string;
  page: DocumentPageRecord;
  ranges: readonly TextRange[];
}

/** Widths of the picture, as parts of the width that it fits into. */
const zooms = [1, 1.5, 2, 3] as const;

/** The size of the picture, with buttons and keys that change it. */
const useZoom = (): { zoom: number; buttons: ReactElement } => {
  const [at, setAt] = useState(0);
  const zoom = zooms[at] ?? 1;
  const change = (by: -1 | 1): void => setAt(Math.min(zooms.length - 1, Math.max(0, at + by)));
  usePageActions([
    { id: 'document.zoom-in', title: texts.zoomIn, keys: '+', run: () => change(1) },
    { id: 'document.zoom-out', title: texts.zoomOut, keys: '-', run: () => change(-1) },
  ]);
  const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const;
  return {
    zoom,
    buttons: (
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'flex-end', mb: 0.5 }}>
        <Typography role="status" variant="caption" sx={{ color: 'text.secondary', mr: 0.5 }}>
          {texts.zoom(zoom)}
        </Typography>
        <IconButton
          aria-label={texts.zoomOut}
          title={texts.zoomOut}
          disabled={at === 0}
          onClick={() => change(-1)}
        >
          <ZoomOut {...icon} />
        </IconButton>
        <IconButton
          aria-label={texts.zoomIn}
          title={texts.zoomIn}
          disabled={at === zooms.length - 1}
          onClick={() => change(1)}
        >
          <ZoomIn {...icon} />
        </IconButton>
      </Box>
    ),
  };
};

/** The picture of a page with the matches of a search marked on it, or the video of the document. */
export const PagePicture = ({ datasetId, page, ranges }: PagePictureProps): ReactElement => {
  const { zoom, buttons } = useZoom();
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
    <Box sx={{ minWidth: 0 }}>
      {buttons}
      <Box
        role="region"
        aria-label={texts.pictureArea}
        tabIndex={0}
        sx={{
          overflow: 'auto',
          maxHeight: zoom === 1 ? undefined : '80vh',
          border: 1,
          borderColor: 'divider',
        }}
      >
        <Box sx={{ position: 'relative', width: `${String(zoom * 100)}%` }}>
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
      </Box>
    </Box>
  );
};
