import { EmptyState } from '@redoubt/ui';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Typography from '@mui/material/Typography';
import { useMemo, useState, type ReactElement } from 'react';
import type { SqlResult } from '../sql-run.ts';
import { plotKinds, toPlotData, type PlotKind } from './plot-data.ts';
import { PlotCanvas } from './PlotCanvas.tsx';
import { sqlText as texts } from '../../../text/sql.ts';

const kindNames: Record<PlotKind, string> = { bar: 'Bars', line: 'Line', histogram: 'Histogram' };
const numeric = /^(?:smallint|integer|bigint|numeric|double precision)/;

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  values: readonly (readonly [value: T, name: string])[];
  onChange: (value: T) => void;
}

const Choice = <T extends string>({ label, value, values, onChange }: ChoiceProps<T>): ReactElement => (
  <Box component="label" sx={{ display: 'flex', alignItems: 'center', gap: 1, fontSize: 12 }}>
    {label}
    <Select
      size="small"
      value={value}
      onChange={(event) => onChange(event.target.value as T)}
      inputProps={{ 'aria-label': label }}
    >
      {values.map(([one, name]) => (
        <MenuItem key={one} value={one} dense>
          {name}
        </MenuItem>
      ))}
    </Select>
  </Box>
);

const named = (names: readonly string[]) => names.map((name) => [name, name] as const);

/** Styles for text that is only for screen readers. */
const onlyForReaders = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const;

/** A plot of the loaded rows, with the same numbers as a table for screen readers. */
export const ResultPlot = ({ result }: { result: SqlResult }): ReactElement => {
  const columns = Object.keys(result.schema);
  const numbers = columns.filter((name) => numeric.test(result.schema[name]?.type ?? ''));
  const [kind, setKind] = useState<PlotKind>('bar');
  const [wantedX, setX] = useState('');
  const [wantedY, setY] = useState('');
  const y = numbers.find((name) => name === wantedY) ?? numbers.at(-1) ?? '';
  const x = columns.find((name) => name === wantedX) ?? columns.find((name) => name !== y) ?? y;
  const data = useMemo(() => toPlotData(kind, result.records, x, y), [kind, result.records, x, y]);
  if (numbers.length === 0) {
    return <EmptyState title={texts.noPlot}>{texts.noPlotHint}</EmptyState>;
  }
  const title = kind === 'histogram' ? `How often values of ${y} occur` : `${y} by ${x}`;
  return (
    <Box sx={{ height: '100%', display: 'flex', flexDirection: 'column', p: 2, gap: 1 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
        <Choice
          label={texts.plot}
          value={kind}
          values={plotKinds.map((one) => [one, kindNames[one]] as const)}
          onChange={setKind}
        />
        {kind !== 'histogram' && (
          <Choice label={texts.across} value={x} values={named(columns)} onChange={setX} />
        )}
        <Choice label={texts.values} value={y} values={named(numbers)} onChange={setY} />
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {result.more && texts.fromFirst(result.records.length)} {data.left > 0 && texts.notDrawn(data.left)}
        </Typography>
      </Box>
      <PlotCanvas title={title} kind={kind} data={data} />
      <Box component="table" sx={onlyForReaders}>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th>{kind === 'histogram' ? y : x}</th>
            <th>{kind === 'histogram' ? texts.rows : y}</th>
          </tr>
        </thead>
        <tbody>
          {data.labels.map((label, at) => (
            <tr key={at}>
              <td>{label}</td>
              <td>{data.values[at] ?? texts.nullText}</td>
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
};
