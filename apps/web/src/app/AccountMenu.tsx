import type { Me } from '@redoubt/contract';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useColorScheme } from '@mui/material/styles';
import { Link } from '@tanstack/react-router';
import { BookOpen, ChevronDown, SlidersHorizontal } from '@redoubt/ui/icons';
import { useState, type ReactElement } from 'react';
import type { Action } from '../actions/action.ts';
import { shellText } from '../text/shell.ts';
import { Keys } from './palette/Keys.tsx';

/** The start page of the documentation that this server serves. */
const documentation = '/docs/intro/';

/** The menu of the person: preferences, documentation, colour scheme, other workspaces, shortcuts, signing out. */
export const AccountMenu = ({ me, actions }: { me: Me; actions: readonly Action[] }): ReactElement => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { mode } = useColorScheme();
  return (
    <>
      <Button
        variant="text"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        endIcon={<ChevronDown size={16} strokeWidth={1.5} aria-hidden />}
        sx={{ minWidth: 0, maxWidth: { xs: 160, md: 320 } }}
      >
        <Box component="bdi" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
          {me.displayName}
        </Box>
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <ListSubheader sx={{ lineHeight: '32px', backgroundColor: 'transparent' }}>{me.email}</ListSubheader>
        <Divider />
        <MenuItem dense component={Link} to="/preferences" onClick={() => setAnchor(null)}>
          <ListItemIcon>
            <SlidersHorizontal size={16} strokeWidth={1.5} aria-hidden />
          </ListItemIcon>
          <ListItemText>{shellText.pages.preferences}</ListItemText>
        </MenuItem>
        <MenuItem
          dense
          component="a"
          href={documentation}
          target="_blank"
          rel="noopener"
          onClick={() => setAnchor(null)}
        >
          <ListItemIcon>
            <BookOpen size={16} strokeWidth={1.5} aria-hidden />
          </ListItemIcon>
          <ListItemText>{shellText.account.documentation}</ListItemText>
        </MenuItem>
        <Divider />
        {actions.map(({ id, title, icon: Icon, keys, run }) => (
          <MenuItem
            key={id}
            dense
            selected={id === `scheme.${mode ?? 'system'}`}
            onClick={() => {
              setAnchor(null);
              run();
            }}
          >
            {Icon !== undefined && (
              <ListItemIcon>
                <Icon size={16} strokeWidth={1.5} aria-hidden />
              </ListItemIcon>
            )}
            <ListItemText>
              <bdi>{title}</bdi>
            </ListItemText>
            {keys !== undefined && (
              <Box sx={{ pl: 2 }}>
                <Keys keys={keys} />
              </Box>
            )}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
};
