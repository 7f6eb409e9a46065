import type { Dataset } from '@redoubt/contract';
import { EmptyState, ErrorState } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { ChevronDown, ChevronUp, X } from '@redoubt/ui/icons';
import { useRef, useState, type PointerEvent, type ReactElement } from 'react';
import { describeError } from '../../../api/client.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import { formatTime } from '../../../parts/format-time.ts';
import { DocumentFile } from './DocumentFile.tsx';
import { describeLabel } from './label-words.ts';
import { RecordFields } from './RecordFields.tsx';
import { useRecord } from './use-records.ts';
import { recordsText as texts } from '../../../text/records.ts';
import { FilledText } from '../../../parts/FilledText.tsx';

interface RecordPanelProps {
  datasetId: string;
  schema: Dataset['schema'];
  recordId: string;
  onClose: () => void;
  /** Opens the previous (-1) or next (1) row. */
  onStep: (step: -1 | 1) => void;
  onFilter: (field: string, value: string | null, operator: 'is' | 'is-not') => void;
  onShowColumn: (field: string) => (() => void) | undefined;
}

const widths = { least: 320, usual: 480, most: 960 };
const isInternal = (name: string): boolean => name.startsWith('_koverse_');

/** The edge of the panel. Dragging it, or arrow keys while it has the focus, change the width. */
const PanelEdge = ({ width, onWidth }: { width: number; onWidth: (width: number) => void }): ReactElement => {
  const start = useRef<{ x: number; width: number }>(undefined);
  const set = (next: number): void => onWidth(Math.max(widths.least, Math.min(widths.most, next)));
  const onPointerMove = (event: PointerEvent): void => {
    if (start.current !== undefined) set(start.current.width + start.current.x - event.clientX);
  };
  return (
    <Box
      role="separator"
      aria-orientation="vertical"
      aria-label={texts.panelWidth}
      aria-valuenow={width}
      aria-valuemin={widths.least}
      aria-valuemax={widths.most}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') set(width + 32);
        if (event.key === 'ArrowRight') set(width - 32);
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width };
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        start.current = undefined;
      }}
      sx={{
        position: 'absolute',
        left: -4,
        top: 0,
        bottom: 0,
        width: 8,
        cursor: 'col-resize',
        touchAction: 'none',
        zIndex: 1,
      }}
    />
  );
};

/** The panel beside the grid with one record: its fields, its JSON text, and who can see it. */
export const RecordPanel = (props: RecordPanelProps): ReactElement => {
  const { datasetId, schema, recordId, onClose, onStep, onFilter, onShowColumn } = props;
  const { data, error, refetch } = useRecord(datasetId, recordId);
  // Renders times again when the zone changes.
  usePreferences();
  const [width, setWidth] = useState(widths.usual);
  const [search, setSearch] = useState('');
  const [hidesNulls, setHidesNulls] = useState(false);
  const [isJson, setIsJson] = useState(false);
  const fields = Object.entries(data ?? {}).filter(([name]) => !isInternal(name));
  const shown = fields
    .filter(([name]) => name.toLowerCase().includes(search.toLowerCase()))
    .filter(([, value]) => !hidesNulls || value !== null);
  const label = data?.['_koverse_security_label'];
  const documentId = data?.['document_id'];
  return (
    <Box
      component="aside"
      aria-label={texts.record}
      sx={{
        position: { xs: 'fixed', lg: 'relative' },
        inset: { xs: '48px 0 0 auto', lg: 'auto' },
        zIndex: { xs: 3, lg: 0 },
        width: { xs: `min(${String(width)}px, 100vw)`, lg: width },
        flexShrink: 0,
        display: 'flex',
        flexDirection: 'column',
        borderLeft: 1,
        borderColor: 'divider',
        backgroundColor: 'background.paper',
      }}
    >
      <PanelEdge width={width} onWidth={setWidth} />
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 0.5,
          px: 2,
          py: 1,
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <Typography variant="h2" sx={{ flex: 1 }}>
          {texts.record}
        </Typography>
        <IconButton aria-label={texts.recordAbove} title={texts.recordAbove} onClick={() => onStep(-1)}>
          <ChevronUp size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
        <IconButton aria-label={texts.recordBelow} title={texts.recordBelow} onClick={() => onStep(1)}>
          <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
        <IconButton aria-label={texts.closeRecord} title={texts.close} onClick={onClose}>
          <X size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
      </Box>
      <Box
        sx={{ flex: 1, minHeight: 0, overflow: 'auto', px: 2, py: 1 }}
        tabIndex={0}
        role="group"
        aria-label={texts.details}
      >
        {error !== null && (
          <ErrorState title={texts.recordFailed} {...describeError(error)} onRetry={() => void refetch()} />
        )}
        {data === null && <EmptyState title={texts.noSuchRecord}>{texts.noSuchRecordHint}</EmptyState>}
        {data !== undefined && data !== null && (
          <>
            <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mb: 1 }}>
              {typeof label === 'string' && (
                <>
                  <bdi>{describeLabel(label)}</bdi>
                  {' · '}
                </>
              )}
              <FilledText
                text={texts.writtenAt}
                values={{
                  time: (
                    <time dateTime={String(data['_koverse_timestamp'])}>
                      {formatTime(String(data['_koverse_timestamp']))}
                    </time>
                  ),
                }}
              />
              {' · '}
              <code>{recordId}</code>
            </Typography>
            {typeof documentId === 'string' && documentId !== '' && (
              <DocumentFile key={documentId} datasetId={datasetId} documentId={documentId} />
            )}
            <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap', mb: 0.5 }}>
              <OutlinedInput
                value={search}
                onChange={(event) => setSearch(event.target.value)}
                placeholder={texts.findField}
                inputProps={{ 'aria-label': texts.findFieldOfRecord }}
                sx={{ flex: 1, minWidth: 120 }}
              />
              <FormControlLabel
                control={
                  <Checkbox
                    size="small"
                    checked={hidesNulls}
                    onChange={(event) => setHidesNulls(event.target.checked)}
                  />
                }
                label={texts.hideNull}
                slotProps={{ typography: { variant: 'body2' } }}
              />
              <Button aria-pressed={isJson} onClick={() => setIsJson(!isJson)}>
                {isJson ? texts.fields : texts.json}
              </Button>
            </Box>
            {isJson ? (
              <Box component="pre" sx={{ fontSize: 12, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {JSON.stringify(Object.fromEntries(fields), undefined, 2)}
              </Box>
            ) : (
              <RecordFields
                fields={shown}
                isTime={(name) => schema[name]?.type === 'timestamp'}
                onFilter={onFilter}
                onShow={onShowColumn}
              />
            )}
          </>
        )}
      </Box>
    </Box>
  );
};
