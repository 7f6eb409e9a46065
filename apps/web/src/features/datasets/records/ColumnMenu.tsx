import type { RowSort } from '@redoubt/contract';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import type { ReactElement } from 'react';
import type { ArrangedField } from './column-layout.ts';
import type { ColumnArrangement } from './use-column-layout.ts';

interface ColumnMenuProps {
  anchor: HTMLElement;
  column: ArrangedField;
  /** The neighbours of the column; undefined at the edges. */
  before: ArrangedField | undefined;
  after: ArrangedField | undefined;
  arrangement: ColumnArrangement;
  onSort: (sort: readonly RowSort[]) => void;
  onFilter: (field: string) => void;
  onFit: (column: ArrangedField) => void;
  onClose: () => void;
}

/** The menu of actions on a column. */
export const ColumnMenu = (props: ColumnMenuProps): ReactElement => {
  const { anchor, column, before, after, arrangement, onSort, onFilter, onFit, onClose } = props;
  const { name, isPinned = false } = column;
  const item = (label: string, run: () => void): ReactElement => (
    <MenuItem
      dense
      key={label}
      onClick={() => {
        onClose();
        run();
      }}
    >
      {label}
    </MenuItem>
  );
  return (
    <Menu anchorEl={anchor} open onClose={onClose}>
      {item('Sort ascending', () => onSort([{ field: name, direction: 'ascending' }]))}
      {item('Sort descending', () => onSort([{ field: name, direction: 'descending' }]))}
      {item('Filter…', () => onFilter(name))}
      <Divider />
      {item(isPinned ? 'Unpin' : 'Pin to the left', () => arrangement.change(name, { isPinned: !isPinned }))}
      {before !== undefined && item('Move left', () => arrangement.move(name, before.name))}
      {after !== undefined && item('Move right', () => arrangement.move(after.name, name))}
      {item('Fit the width', () => onFit(column))}
      {item('Hide', () => arrangement.change(name, { isHidden: true }))}
    </Menu>
  );
};
