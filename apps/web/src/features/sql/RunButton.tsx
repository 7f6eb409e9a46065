import Button from '@mui/material/Button';
import ButtonGroup from '@mui/material/ButtonGroup';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { ChevronDown } from '@redoubt/ui/icons';
import { useEffect, useState, type ReactElement } from 'react';
import { sqlText as texts } from '../../text/sql.ts';

const limits = [100, 1000, 10_000];

/** The seconds since `startedAt`, a value of `performance.now`, updated every second. */
const useElapsed = (startedAt: number | undefined): number => {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (startedAt === undefined) return undefined;
    const measure = (): void => setSeconds(Math.floor((performance.now() - startedAt) / 1000));
    measure();
    const timer = setInterval(measure, 1000);
    return () => clearInterval(timer);
  }, [startedAt]);
  return seconds;
};

interface RunButtonProps {
  limit: number;
  /** The `performance.now` at which the running statement began; undefined if none runs. */
  startedAt: number | undefined;
  isCanceling: boolean;
  hasSelection: boolean;
  onLimit: (limit: number) => void;
  onRun: () => void;
  onCancel: () => void;
}

/** The button that runs the statement with the chosen limit. While a statement runs, the button cancels it. */
export const RunButton = (props: RunButtonProps): ReactElement => {
  const { limit, startedAt, isCanceling, hasSelection, onLimit, onRun, onCancel } = props;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const elapsed = useElapsed(startedAt);
  if (startedAt !== undefined) {
    return (
      <Button onClick={onCancel} disabled={isCanceling} sx={{ minWidth: 176 }}>
        {isCanceling ? texts.canceling : texts.cancelRun(elapsed)}
      </Button>
    );
  }
  return (
    <>
      <ButtonGroup variant="contained" color="primary" disableElevation sx={{ minWidth: 176 }}>
        <Button variant="contained" color="primary" title={texts.ctrlEnter} sx={{ flex: 1 }} onClick={onRun}>
          {hasSelection ? texts.runSelection(limit) : texts.run(limit)}
        </Button>
        <Button
          variant="contained"
          color="primary"
          aria-label={texts.limit}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          sx={{ px: 0.5, minWidth: 32 }}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
        </Button>
      </ButtonGroup>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {limits.map((value) => (
          <MenuItem
            key={value}
            dense
            selected={value === limit}
            onClick={() => {
              setAnchor(null);
              onLimit(value);
            }}
          >
            {texts.rowCount(value)}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
};
