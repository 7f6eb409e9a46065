import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import ListItemIcon from '@mui/material/ListItemIcon';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis } from '@redoubt/ui/icons';
import { useState, type ReactElement } from 'react';
import { shellText } from '../text/shell.ts';
import { navigation, navigationGroups, type NavigationPage } from './navigation.ts';
import { RailLink } from './RailLink.tsx';

const link = ({ to, title, icon }: NavigationPage): ReactElement => (
  <RailLink key={to} to={to} icon={icon} label={title} />
);

/** A menu of the pages that do not fit into the bar of a phone. */
const MoreMenu = (): ReactElement => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const navigate = useNavigate();
  const pages = navigation.filter(({ isChief }) => isChief !== true);
  return (
    <>
      <ButtonBase
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{
          flexDirection: 'column',
          gap: 0.25,
          px: 1.5,
          height: 40,
          borderRadius: 1,
          fontSize: 12,
          lineHeight: '16px',
          color: 'text.secondary',
        }}
      >
        <Ellipsis size={16} strokeWidth={1.5} aria-hidden />
        {shellText.more}
      </ButtonBase>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {pages.map(({ to, title, icon: Icon }) => (
          <MenuItem
            key={to}
            onClick={() => {
              setAnchor(null);
              void navigate({ to });
            }}
          >
            <ListItemIcon>
              <Icon size={16} strokeWidth={1.5} aria-hidden />
            </ListItemIcon>
            {title}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
};

/** The navigation. On wide screens it is at the left, with groups; on a phone it is a bar at the bottom. */
export const Rail = (): ReactElement => {
  const isPhone = useMediaQuery('(max-width: 599px)');
  return (
    <Box
      component="nav"
      aria-label={shellText.navigation}
      sx={{
        gridArea: { sm: 'rail' },
        display: 'flex',
        flexDirection: { xs: 'row', sm: 'column' },
        justifyContent: { xs: 'space-around', sm: 'flex-start' },
        overflowY: { sm: 'auto' },
        position: { xs: 'fixed', sm: 'static' },
        bottom: 0,
        left: 0,
        right: 0,
        height: { xs: 48, sm: 'auto' },
        zIndex: 2,
        p: { xs: 0.5, sm: 1 },
        gap: 0.5,
        borderRight: { sm: 1 },
        borderTop: { xs: 1, sm: 0 },
        borderColor: { xs: 'divider', sm: 'divider' },
        backgroundColor: 'background.sunken',
      }}
    >
      {isPhone ? (
        <>
          {navigation.filter(({ isChief }) => isChief).map(link)}
          <MoreMenu />
        </>
      ) : (
        navigationGroups.map((group, at) => (
          <Box
            key={group}
            role="group"
            aria-label={shellText.groups[group]}
            sx={{
              display: 'flex',
              flexDirection: 'column',
              gap: 0.5,
              ...(at > 0 && {
                pt: { sm: 1, lg: 0 },
                mt: { sm: 0.5, lg: 1 },
                borderTop: { sm: 1, lg: 0 },
                borderColor: { sm: 'divider', lg: 'divider' },
              }),
            }}
          >
            <Typography
              variant="caption"
              aria-hidden
              sx={{
                display: { xs: 'none', lg: 'block' },
                px: 1.25,
                py: 0.5,
                fontWeight: 500,
                color: 'text.secondary',
              }}
            >
              {shellText.groups[group]}
            </Typography>
            {navigation.filter((page) => page.group === group).map(link)}
          </Box>
        ))
      )}
    </Box>
  );
};
