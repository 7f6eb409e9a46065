import { CellText, type GridColumn, type GridRowData, type GridSource } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState, type ReactElement } from 'react';
import { recordsText as texts } from '../../../text/records.ts';

interface RecordCardsProps {
  label: string;
  columns: readonly GridColumn[];
  source: GridSource;
  onOpenRow: (row: number) => void;
  /** Called when other rows come into view. */
  onView: (view: { first: number; end: number; firstColumn: number }) => void;
}

const cardsAtOnce = 50;
const fieldsOfCard = 3;

/** The list of records on a phone. Each record is a card with its first fields. */
export const RecordCards = ({
  label,
  columns,
  source,
  onOpenRow,
  onView,
}: RecordCardsProps): ReactElement => {
  const [count, setCount] = useState(cardsAtOnce);
  const shown = Math.min(count, source.rowCount);
  // Fields of text come first, because they best distinguish records.
  const byType = columns.toSorted((a, b) => Number(b.type === 'text') - Number(a.type === 'text'));
  /** The fields of a card. Those that the search matched come before all others. */
  const fieldsOf = (data: GridRowData): readonly GridColumn[] => {
    const marks = typeof data === 'object' ? data.marks : undefined;
    if (marks === undefined) return byType.slice(0, fieldsOfCard);
    const isMatched = ({ name }: GridColumn): boolean => Object.hasOwn(marks, name);
    return byType.toSorted((a, b) => Number(isMatched(b)) - Number(isMatched(a))).slice(0, fieldsOfCard);
  };
  return (
    <Box component="ol" aria-label={label} sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {Array.from({ length: shown }, (_, index) => {
        const data = source.row(index);
        return (
          <Box component="li" key={index} sx={{ borderBottom: 1, borderColor: 'divider' }}>
            <Box
              component="button"
              type="button"
              onClick={() => onOpenRow(index)}
              sx={{
                font: 'inherit',
                color: 'inherit',
                background: 'none',
                border: 0,
                width: '100%',
                textAlign: 'left',
                px: 2,
                py: 1,
                display: 'grid',
                gridTemplateColumns: '112px minmax(0, 1fr)',
                gap: '4px 8px',
                fontSize: 13,
                '& .cell-null, & .cell-empty, & .cell-missing': { color: 'text.tertiary' },
              }}
            >
              {fieldsOf(data).flatMap(({ name }) => [
                <Box
                  component="bdi"
                  key={`${name} name`}
                  sx={{ color: 'text.secondary', overflow: 'hidden', textOverflow: 'ellipsis' }}
                >
                  {name}
                </Box>,
                <Box
                  component="span"
                  key={name}
                  sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
                >
                  {typeof data === 'object' ? (
                    <CellText value={data.cells[name]} marks={data.marks?.[name]} />
                  ) : data === 'gone' ? (
                    texts.gone
                  ) : (
                    '…'
                  )}
                </Box>,
              ])}
            </Box>
          </Box>
        );
      })}
      {shown < source.rowCount && (
        <Box component="li" sx={{ p: 2 }}>
          <Button
            fullWidth
            onClick={() => {
              onView({ first: count, end: count + cardsAtOnce, firstColumn: 0 });
              setCount(count + cardsAtOnce);
            }}
          >
            {texts.showMore}
          </Button>
        </Box>
      )}
    </Box>
  );
};
