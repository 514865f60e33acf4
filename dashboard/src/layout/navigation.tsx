import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import OverviewIcon from '@mui/icons-material/SpaceDashboardOutlined';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { Theme } from '@mui/material/styles';
import type { ComponentType } from 'react';
import { useCanAccess, useTranslate } from 'ra-core';
import { useSidebarState } from 'ra-ui-materialui';
import { NavLink, useLocation } from 'react-router-dom';
import { areas, type Area } from '../areas.tsx';
import { useText } from '../i18n/i18n.ts';
import { SIDEBAR } from '../theme.ts';

interface EntryProps {
  to: string;
  name: string;
  icon: ComponentType;
}

function Entry({ to, name, icon: Icon }: EntryProps) {
  const [isOpen, setOpen] = useSidebarState();
  const isPhone = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'));
  const { pathname } = useLocation();
  const isHere = to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`);
  return (
    <ListItem disablePadding>
      <ListItemButton
        component={NavLink}
        to={to}
        selected={isHere}
        aria-label={name}
        title={isOpen ? undefined : name}
        onClick={() => isPhone && setOpen(false)}
        sx={{ minHeight: 40, paddingX: 2 }}
      >
        <ListItemIcon sx={{ minWidth: 40, color: 'inherit' }}>
          <Icon />
        </ListItemIcon>
        {(isOpen || isPhone) && <ListItemText primary={name} />}
      </ListItemButton>
    </ListItem>
  );
}

function AreaEntry({ name, icon }: Area) {
  const translate = useTranslate();
  const { canAccess } = useCanAccess({ resource: name, action: 'list' });
  if (!canAccess) return null;
  return <Entry to={`/${name}`} icon={icon} name={translate(`resources.${name}.name`, { smart_count: 2 })} />;
}

export function Navigation() {
  const [isOpen] = useSidebarState();
  const t = useText();
  return (
    <nav aria-label={t('navigation')}>
      <List dense sx={{ width: isOpen ? SIDEBAR.width : SIDEBAR.closedWidth }}>
        <Entry to="/" icon={OverviewIcon} name={t('overview')} />
        {areas.map((area) => (
          <AreaEntry key={area.name} {...area} />
        ))}
      </List>
    </nav>
  );
}
