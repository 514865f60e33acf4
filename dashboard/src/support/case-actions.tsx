import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import AssignIcon from '@mui/icons-material/PersonAddAltOutlined';
import ReopenIcon from '@mui/icons-material/UndoOutlined';
import ResolveIcon from '@mui/icons-material/CheckOutlined';
import { useId, useState } from 'react';
import { useText } from '../i18n/i18n.ts';
import { useAgents, useChangeCase, useMe } from './case-queries.ts';
import type { Case } from './case.ts';
import { useShortcuts } from './keys.tsx';
import { SnoozeMenu } from './snooze-menu.tsx';

/** Assigns a case. Refused if another administrator has changed the case meanwhile. */
function useAssign() {
  const t = useText();
  const change = useChangeCase();
  return ({ id, version }: Case, assigneeId: number | null) =>
    change(
      id,
      { assignee_id: assigneeId, expected_version: version },
      t(assigneeId === null ? 'resources.support.assign.undone' : 'resources.support.assign.done'),
    );
}

function AssignMenu({ of }: { of: Case }) {
  const t = useText();
  const me = useMe();
  const { data: agents, error, refetch } = useAgents();
  const assign = useAssign();
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const choose = (assigneeId: number | null) => {
    setAnchor(undefined);
    void assign(of, assigneeId);
  };
  const others = agents?.filter((other) => other.id !== me) ?? [];
  const label = of.assignee
    ? t('resources.support.assign.to', { name: of.assignee.name })
    : t('resources.support.assign.button');
  return (
    <>
      <Button
        id={id}
        size="small"
        variant={of.assignee ? 'text' : 'outlined'}
        startIcon={<AssignIcon />}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {label}
      </Button>
      <Menu
        open={anchor !== undefined}
        anchorEl={anchor}
        onClose={() => setAnchor(undefined)}
        slotProps={{
          paper: { role: 'region', 'aria-label': t('resources.support.assign.button') },
          list: { 'aria-labelledby': id },
        }}
      >
        {me !== undefined && of.assignee?.id !== me && (
          <MenuItem onClick={() => choose(me)}>{t('resources.support.assign.me')}</MenuItem>
        )}
        {of.assignee !== null && (
          <MenuItem onClick={() => choose(null)}>{t('resources.support.assign.nobody')}</MenuItem>
        )}
        {!agents && error !== null && (
          <MenuItem onClick={() => void refetch()}>
            {t('states.failed')} {t('states.again')}
          </MenuItem>
        )}
        {others.length > 0 && <Divider component="li" />}
        {others.map((other) => (
          <MenuItem key={other.id} selected={of.assignee?.id === other.id} onClick={() => choose(other.id)} dir="auto">
            {other.name}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

/** The buttons that change a case, and their keys. */
export function CaseActions({ of }: { of: Case }) {
  const t = useText();
  const me = useMe();
  const assign = useAssign();
  const change = useChangeCase();
  const isResolved = of.state === 'resolved';
  const resolve = () => change(of.id, { state: 'resolved' }, t('resources.support.resolve.done'));
  const reopen = () => change(of.id, { state: 'open' }, t('resources.support.reopen.done'));
  useShortcuts({
    e: () => !isResolved && void resolve(),
    a: () => me !== undefined && of.assignee?.id !== me && void assign(of, me),
  });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      <AssignMenu of={of} />
      {!isResolved && <SnoozeMenu of={of} />}
      {of.state !== 'open' && (
        <Button size="small" variant="outlined" startIcon={<ReopenIcon />} onClick={() => void reopen()}>
          {t('resources.support.reopen.button')}
        </Button>
      )}
      {!isResolved && (
        <Button
          size="small"
          variant="outlined"
          color="success"
          startIcon={<ResolveIcon />}
          onClick={() => void resolve()}
        >
          {t('resources.support.resolve.button')}
        </Button>
      )}
    </Box>
  );
}
