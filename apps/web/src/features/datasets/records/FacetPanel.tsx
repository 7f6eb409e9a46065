import type { RowFilter } from '@redoubt/contract';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { formatNumber } from '@redoubt/ui';
import { useState, type ReactElement } from 'react';
import { toggleValue } from './records-search.ts';
import { useValues, type Selection } from './use-records.ts';
import { recordsText as texts } from '../../../text/records.ts';

interface FacetPanelProps {
  selection: Selection;
  /** The fields by name, with their types. */
  fields: readonly { name: string; type?: string | undefined }[];
  /** Whether the rows are on the screen; the values are requested after that. */
  hasRows: boolean;
  onChange: (filters: readonly RowFilter[]) => void;
}

interface FacetProps {
  selection: Selection;
  field: string;
  hasRows: boolean;
  onChange: FacetPanelProps['onChange'];
}

const ValueRow = ({
  value,
  count,
  isIncluded,
  onInclude,
  onExclude,
}: {
  value: string | null;
  count: number;
  isIncluded: boolean;
  onInclude: () => void;
  onExclude: () => void;
}): ReactElement => {
  const words = value === null ? 'null' : value === '' ? 'empty text' : value;
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 0.5,
        height: 28,
        fontSize: 13,
        '& .facet-not': { opacity: 0 },
        '&:hover .facet-not, &:focus-within .facet-not': { opacity: 1 },
      }}
    >
      <Checkbox
        size="small"
        checked={isIncluded}
        onChange={onInclude}
        slotProps={{ input: { 'aria-label': texts.onlyValue(words) } }}
        sx={{ p: 0.5, ml: -0.75 }}
      />
      <Box
        component="bdi"
        title={words}
        sx={{
          flex: 1,
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          whiteSpace: 'nowrap',
          ...(value === null && { fontStyle: 'italic', color: 'text.tertiary' }),
        }}
      >
        {value === '' ? '""' : (value ?? texts.nullText)}
      </Box>
      <Button
        className="facet-not"
        variant="text"
        size="small"
        aria-label={texts.excludeValue(words)}
        onClick={onExclude}
        sx={{ minHeight: 24, minWidth: 0, px: 0.5, py: 0, fontSize: 12 }}
      >
        {texts.not}
      </Button>
      <Box component="span" sx={{ color: 'text.secondary', minWidth: 48, textAlign: 'right' }}>
        {formatNumber(count)}
      </Box>
    </Box>
  );
};

/** The height in pixels of five values and a note. */
const facetHeight = 156;

/** The most frequent values of a field, with their counts. */
const Facet = ({ selection, field, hasRows, onChange }: FacetProps): ReactElement => {
  const [prefix, setPrefix] = useState('');
  const { data, error } = useValues(selection, field, prefix, hasRows);
  const { filters } = selection;
  const included = filters.find((filter) => filter.field === field && filter.operator === 'is')?.values ?? [];
  const toggle = (value: string | null, operator?: 'is-not'): void =>
    onChange(toggleValue(filters, field, value, operator));
  if (error !== null) {
    return (
      <Typography variant="caption" component="p" sx={{ color: 'text.tertiary' }}>
        {texts.valuesFailed}
      </Typography>
    );
  }
  return (
    // While the values are loading, there is room for five of them, so that little moves afterwards.
    <Box
      sx={{
        height: data === undefined ? facetHeight : 'auto',
        maxHeight: facetHeight,
        overflow: 'auto',
        pb: 1,
      }}
      tabIndex={0}
      role="group"
      aria-label={texts.valuesOf(field)}
    >
      {(data?.more === true || prefix !== '') && (
        <OutlinedInput
          value={prefix}
          onChange={(event) => setPrefix(event.target.value)}
          placeholder={texts.beginsWith}
          inputProps={{ 'aria-label': texts.valuesThatBegin(field) }}
          fullWidth
          sx={{ minHeight: 28, fontSize: 13, mb: 0.5 }}
        />
      )}
      {data?.values
        .filter(({ isCut }) => !isCut)
        .map(({ value, count }) => (
          <ValueRow
            key={value}
            value={value}
            count={count}
            isIncluded={included.includes(value)}
            onInclude={() => toggle(value)}
            onExclude={() => toggle(value, 'is-not')}
          />
        ))}
      {data !== undefined && data.missing > 0 && prefix === '' && (
        <ValueRow
          value={null}
          count={data.missing}
          isIncluded={included.includes(null)}
          onInclude={() => toggle(null)}
          onExclude={() => toggle(null, 'is-not')}
        />
      )}
      {data?.isSample === true && (
        <Typography variant="caption" component="p" sx={{ color: 'text.tertiary' }}>
          {texts.fromFirst(formatNumber(data.records))}
        </Typography>
      )}
      {data?.values.length === 0 && data.missing === 0 && (
        <Typography variant="caption" component="p" sx={{ color: 'text.tertiary' }}>
          {texts.noValues}
        </Typography>
      )}
    </Box>
  );
};

const openAtFirst = 2;
/** Fields of these types come first, because people filter by them most often. */
const typeOrder = ['text', 'boolean'];

const orderOf = (type = ''): number => {
  const at = typeOrder.indexOf(type);
  return at === -1 ? typeOrder.length : at;
};

/** A panel that filters by values of fields. The values of a field are loaded when it is opened. */
export const FacetPanel = ({ selection, fields, hasRows, onChange }: FacetPanelProps): ReactElement => {
  const sorted = fields.toSorted((a, b) => orderOf(a.type) - orderOf(b.type));
  const [open, setOpen] = useState(() => new Set(sorted.slice(0, openAtFirst).map(({ name }) => name)));
  const [search, setSearch] = useState('');
  const shown = sorted.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())).slice(0, 100);
  const toggle = (name: string): void => {
    const next = new Set(open);
    if (!next.delete(name)) next.add(name);
    setOpen(next);
  };
  return (
    <Box
      component="aside"
      aria-label={texts.valuesOfFields}
      sx={{
        width: 256,
        flexShrink: 0,
        overflow: 'auto',
        borderRight: 1,
        borderColor: 'divider',
        // The left edge is that of the title and the search.
        pl: 3,
        pr: 1,
        py: 1,
      }}
    >
      <OutlinedInput
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        placeholder={texts.findField}
        inputProps={{ 'aria-label': texts.findField }}
        fullWidth
        sx={{ fontSize: 13, mb: 1 }}
      />
      {shown.map(({ name }) => (
        <Box key={name} sx={{ mb: 0.5 }}>
          <Box
            component="button"
            type="button"
            aria-expanded={open.has(name)}
            onClick={() => toggle(name)}
            sx={{
              font: 'inherit',
              fontSize: 12,
              fontWeight: 500,
              color: 'text.secondary',
              background: 'none',
              border: 0,
              cursor: 'pointer',
              width: '100%',
              textAlign: 'left',
              height: 28,
              px: 0,
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: 'nowrap',
            }}
          >
            <span aria-hidden>{open.has(name) ? '▾ ' : '▸ '}</span>
            <bdi>{name}</bdi>
          </Box>
          {open.has(name) && (
            <Facet selection={selection} field={name} hasRows={hasRows} onChange={onChange} />
          )}
        </Box>
      ))}
    </Box>
  );
};
