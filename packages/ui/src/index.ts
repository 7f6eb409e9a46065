export { formatNumber } from './format-number.ts';
export { DataGrid } from './grid/DataGrid.tsx';
export { toGridColumns } from './grid/grid-columns.ts';
export { TextInput } from './forms/TextInput.tsx';
export { InlineError } from './states/InlineError.tsx';
export { EmptyState, ErrorState } from './states/PageState.tsx';
export { theme } from './theme/theme.ts';
