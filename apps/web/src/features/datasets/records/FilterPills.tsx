import type { RowFilter } from '@redoubt/contract';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { Plus, X } from '@redoubt/ui/icons';
import { useState, type ReactElement } from 'react';
import { FilterEditor } from './FilterEditor.tsx';
import { operatorWords } from './records-search.ts';
import { recordsText as texts } from '../../../text/records.ts';

interface FilterPillsProps {
  filters: readonly RowFilter[];
  fields: readonly string[];
  onChange: (filters: readonly RowFilter[]) => void;
}

const keyOf = ({ field, operator, values }: RowFilter): string => JSON.stringify([field, operator, values]);

const Pill = ({
  filter,
  onEdit,
  onRemove,
}: {
  filter: RowFilter;
  onEdit: (anchor: HTMLElement) => void;
  onRemove: () => void;
}): ReactElement => {
  const { field, operator, values } = filter;
  return (
    <Box
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        height: 28,
        maxWidth: 360,
        borderRadius: 1,
        backgroundColor: 'background.chip',
      }}
    >
      <Box
        component="button"
        type="button"
        onClick={(event) => onEdit(event.currentTarget)}
        sx={{
          font: 'inherit',
          fontSize: 12,
          color: 'text.secondary',
          background: 'none',
          border: 0,
          cursor: 'pointer',
          pl: 1,
          pr: 0.5,
          height: 28,
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          whiteSpace: 'nowrap',
        }}
      >
        <bdi>{field}</bdi> {operatorWords[operator]}{' '}
        <Box component="strong" sx={{ fontWeight: 500, color: 'text.primary' }}>
          {values.map((value, at) => (
            <bdi key={value ?? 'null'}>
              {at > 0 && ', '}
              {value === null ? <em>{texts.nullText}</em> : value === '' ? '""' : value}
            </bdi>
          ))}
        </Box>
      </Box>
      <IconButton size="small" aria-label={texts.removeFilter(field)} onClick={onRemove}>
        <X size={14} strokeWidth={1.5} aria-hidden />
      </IconButton>
    </Box>
  );
};

/** The filters, each of which can be edited and removed, and a button that adds one. */
export const FilterPills = ({ filters, fields, onChange }: FilterPillsProps): ReactElement => {
  const [editing, setEditing] = useState<{ anchor: HTMLElement; filter: RowFilter | undefined }>();
  const save = (filter: RowFilter): void => {
    const old = editing?.filter;
    onChange(old === undefined ? [...filters, filter] : filters.map((one) => (one === old ? filter : one)));
    setEditing(undefined);
  };
  return (
    <Box
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}
      aria-label={texts.filters}
      role="group"
    >
      {filters.map((filter) => (
        <Pill
          key={keyOf(filter)}
          filter={filter}
          onEdit={(anchor) => setEditing({ anchor, filter })}
          onRemove={() => onChange(filters.filter((one) => one !== filter))}
        />
      ))}
      <Button
        variant="contained"
        color="primary"
        startIcon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
        onClick={(event) => setEditing({ anchor: event.currentTarget, filter: undefined })}
      >
        {texts.addFilter}
      </Button>
      {filters.length > 1 && (
        <Button variant="text" onClick={() => onChange([])}>
          {texts.clearAll}
        </Button>
      )}
      {editing !== undefined && (
        <FilterEditor
          anchor={editing.anchor}
          fields={fields}
          filter={editing.filter}
          onSave={save}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Box>
  );
};
