import Box from '@mui/material/Box';
import type { ReactElement } from 'react';

/** One bar of a column chart. Its height is proportional to `count`. */
export interface ChartBar {
  /** What the bar stands for, such as a value or a range. */
  readonly label: string;
  readonly count: number;
}

interface ColumnChartProps {
  bars: readonly ChartBar[];
  /** The text below the bars: how many values are missing or different. */
  caption: string;
  /** Called for a click on a bar. */
  onPick?: ((index: number) => void) | undefined;
}

const height = 16;

/**
 * A small chart of the values of a column. Clicking bars needs a mouse, so the menu of the column offers the same
 * actions.
 */
export const ColumnChart = ({ bars, caption, onPick }: ColumnChartProps): ReactElement => {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const width = 100 / Math.max(1, bars.length);
  return (
    <Box sx={{ fontSize: 12, lineHeight: '16px', fontWeight: 400, color: 'text.tertiary' }}>
      <Box
        component="svg"
        role="img"
        aria-label={`${String(bars.length)} ${bars.length === 1 ? 'bar' : 'bars'}`}
        viewBox={`0 0 100 ${String(height)}`}
        preserveAspectRatio="none"
        sx={{ display: 'block', width: '100%', height, cursor: onPick === undefined ? 'default' : 'pointer' }}
      >
        {bars.map(({ label, count }, index) => {
          const size = count === 0 ? 0 : Math.max(2, (count / most) * height);
          return (
            <g key={label} onClick={() => onPick?.(index)} data-bar={index}>
              <title>{`${label}: ${count.toLocaleString('en')}`}</title>
              <rect x={index * width} y={0} width={width} height={height} fill="transparent" />
              <rect
                x={index * width + width * 0.08}
                y={height - size}
                width={width * 0.84}
                height={size}
                fill="var(--mui-palette-primary-main)"
                opacity={0.75}
              />
            </g>
          );
        })}
      </Box>
      <Box sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>{caption}</Box>
    </Box>
  );
};
