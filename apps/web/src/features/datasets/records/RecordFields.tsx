import { CellText } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { formatValue } from '@redoubt/ui';
import type { ReactElement } from 'react';

interface RecordFieldsProps {
  fields: readonly (readonly [name: string, value: unknown])[];
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

/** The fields of a record, with values that are not truncated. */
export const RecordFields = ({ fields, onFilter, onShow }: RecordFieldsProps): ReactElement => (
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
                  label={`Only records with this ${name}`}
                  onClick={() => onFilter(name, filterValue(value), 'is')}
                >
                  + filter
                </SmallButton>
                <SmallButton
                  label={`No records with this ${name}`}
                  onClick={() => onFilter(name, filterValue(value), 'is-not')}
                >
                  − filter
                </SmallButton>
              </>
            )}
            {show !== undefined && (
              <SmallButton label={`Show the column ${name}`} onClick={show}>
                add column
              </SmallButton>
            )}
          </Box>
          <Box component="dd" sx={{ m: 0, fontSize: 13, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            <Value value={value} />
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
