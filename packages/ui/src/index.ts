export { formatNumber } from './format-number.ts';
export { CellText } from './grid/CellText.tsx';
export { ColumnChart, type ChartBar } from './grid/ColumnChart.tsx';
export { DataGrid, type GridHandle, type RowsInView } from './grid/DataGrid.tsx';
export { MarkedText } from './grid/MarkedText.tsx';
export { formatValue } from './grid/format-value.ts';
export {
  defaultColumnWidth,
  isNumeric,
  maxColumnWidth,
  minColumnWidth,
  toGridColumns,
  type GridColumn,
} from './columns/index.ts';
export { countCells, type CellRange } from './grid/grid-keys.ts';
export { RowHeight } from './grid/row-height.ts';
export type { GridCells, GridRowData, GridSource, TextRange } from './grid/grid-rows.ts';
export { copyFormats, formatCells, type CopyFormat } from './grid/grid-text.ts';
export type { SortDirection } from './grid/GridHeader.tsx';
export { TextInput } from './forms/TextInput.tsx';
export { InlineError } from './states/InlineError.tsx';
export { EmptyState, ErrorState } from './states/PageState.tsx';
export { tableSx } from './theme/table-sx.ts';
export { theme } from './theme/theme.ts';
export { formatBytes } from './format-bytes.ts';
export { SelectInput, type SelectOption } from './forms/SelectInput.tsx';
export { PageHeader } from './states/PageHeader.tsx';
export { TableSkeleton } from './states/TableSkeleton.tsx';
export { StateChip, type ChipTone } from './states/StateChip.tsx';
