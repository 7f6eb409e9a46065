import { CellText } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { formatValue } from '@redoubt/ui';
import type { ReactElement } from 'react';
import { formatTime } from '../../../parts/format-time.ts';
import { recordsText as texts } from '../../../text/records.ts';

interface RecordFieldsProps {
  fields: readonly (readonly [name: string, value: unknown])[];
  /** Whether a field holds times, which are shown in the zone of the person as well. */
  isTime: (field: string) => boolean;
  onFilter: (field: string, value: string | null, operator: 'is' | 'is-not') => void;
  /** Shows a hidden column; undefined if the column is shown. */
  onShow: (field: string) => (() => void) | undefined;
}

/** The filter value that matches this value. */
const filterValue = (value: unknown): string | null =>
  value === null || value === undefined ? null : formatValue(value);

const Value = ({ value }: { value: unknown }): ReactElement =>
  typeof value === 'object' && value !== null ? (
    <Box component="pre" sx={{ m: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontSize: 12 }}>
      {JSON.stringify(value, undefined, 2)}
    </Box>
  ) : (
    <CellText value={value} />
  );

/** A time in the zone of the person, below its exact text. Nothing for a text that is no time. */
const InOwnZone = ({ value }: { value: unknown }): ReactElement | null =>
  typeof value !== 'string' || Number.isNaN(Date.parse(value)) ? null : (
    <Typography variant="caption" component="time" sx={{ display: 'block', color: 'text.secondary' }}>
      {formatTime(value)}
    </Typography>
  );

/** The fields of a record, with values that are not truncated. */
export const RecordFields = ({ fields, isTime, onFilter, onShow }: RecordFieldsProps): ReactElement => (
  <Box component="dl" sx={{ m: 0 }}>
    {fields.map(([name, value]) => {
      const show = onShow(name);
      const isObject = typeof value === 'object' && value !== null;
      return (
        <Box
          key={name}
          sx={{
            py: 1,
            borderBottom: 1,
            borderColor: 'divider',
            '& .cell-null, & .cell-empty, & .cell-missing': { color: 'text.tertiary' },
            '& .cell-empty': { font: 'inherit', letterSpacing: '0.1em' },
          }}
        >
          <Box component="dt" sx={{ display: 'flex', alignItems: 'center', gap: 0.5, fontSize: 12 }}>
            <Box
              component="bdi"
              sx={{
                flex: 1,
                fontWeight: 500,
                color: 'text.secondary',
                minWidth: 0,
                overflowWrap: 'anywhere',
              }}
            >
              {name}
            </Box>
            {!isObject && (
              <>
                <SmallButton
                  label={texts.onlyWithField(name)}
                  onClick={() => onFilter(name, filterValue(value), 'is')}
                >
                  {texts.addFilterShort}
                </SmallButton>
                <SmallButton
                  label={texts.noneWithField(name)}
                  onClick={() => onFilter(name, filterValue(value), 'is-not')}
                >
                  {texts.excludeShort}
                </SmallButton>
              </>
            )}
            {show !== undefined && (
              <SmallButton label={texts.showTheColumn(name)} onClick={show}>
                {texts.addColumn}
              </SmallButton>
            )}
          </Box>
          <Box component="dd" sx={{ m: 0, fontSize: 13, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            <Value value={value} />
            {isTime(name) && <InOwnZone value={value} />}
          </Box>
        </Box>
      );
    })}
  </Box>
);

const SmallButton = ({
  label,
  onClick,
  children,
}: {
  label: string;
  onClick: () => void;
  children: string;
}): ReactElement => (
  <Button
    variant="text"
    size="small"
    aria-label={label}
    onClick={onClick}
    sx={{ minHeight: 24, minWidth: 0, px: 0.5, py: 0, fontSize: 12, color: 'text.secondary' }}
  >
    {children}
  </Button>
);
