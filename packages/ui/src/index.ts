export { CellText, formatValue } from './grid/CellText.tsx';
export { DataGrid, type GridColumn } from './grid/DataGrid.tsx';
export { TextInput } from './forms/TextInput.tsx';
export { EmptyState, ErrorState } from './states/PageState.tsx';
export { theme } from './theme/theme.ts';
