import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useEffect, useEffectEvent, useState } from 'react';
import { useGetIdentity } from 'ra-core';
import { useLocation, useNavigate } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { PageTitle } from '../shared/page/page-title.tsx';
import { Empty, Failure, Loading } from '../shared/page/states.tsx';
import { isComposing } from '../shared/forms/composing.ts';
import { useUnsaved } from '../shared/forms/unsaved.ts';
import { AllowNotifications } from './allow-notifications.tsx';
import { Conversation } from './conversation.tsx';
import { createDrafts } from './drafts.ts';
import { useLiveSupport, useRooms } from './queries.ts';
import { Reply } from './reply.tsx';
import { sortRooms, positionOf, type Position, type Room } from './room.ts';
import { RoomList } from './room-list.tsx';

/** The room's uuid in a path `/support/{uuid}`, with or without `/show`. */
const roomIn = (pathname: string) => pathname.split('/')[2];

const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

interface Keys {
  go: (steps: number) => void;
  close: () => void;
}

/** N and P: next and previous room; R: reply; Escape: close. Alt with an arrow changes rooms also while typing. */
function useKeys({ go, close }: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isDialog = document.querySelector('.MuiModal-root:not(.MuiModal-hidden)') !== null;
    if (event.ctrlKey || event.metaKey || isComposing(event) || isDialog) return;
    const shortcuts: Record<string, () => void> = {
      ...(!isTyping(event) &&
        !event.altKey && { n: () => go(1), p: () => go(-1), r: () => document.getElementById(REPLY)?.focus() }),
      ...(event.altKey && { arrowdown: () => go(1), arrowup: () => go(-1) }),
      escape: close,
    };
    const shortcut = shortcuts[event.key.toLowerCase()];
    if (!shortcut) return;
    event.preventDefault();
    shortcut();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

/** The id of the reply field. */
const REPLY = 'reply';

/** The sorted rooms, the uuid of the open one, and the functions to open and close rooms. */
function useInbox() {
  const navigate = useNavigate();
  const uuid = roomIn(useLocation().pathname);
  const [frozen, setFrozen] = useState<ReadonlyMap<string, Position>>(new Map());
  const query = useRooms();
  useLiveSupport(uuid);
  const rooms = sortRooms(query.rooms ?? [], frozen);

  const open = (room: Room) => {
    setFrozen(new Map([[room.uuid, positionOf(room)] as const, ...frozen]));
    void navigate(`/support/${room.uuid}`);
  };
  const close = () => {
    if (uuid === undefined) return;
    setFrozen(new Map());
    void navigate('/support');
  };
  const go = (steps: number) => {
    const here = rooms.findIndex((room) => room.uuid === uuid);
    const next = rooms[here === -1 ? 0 : here + steps];
    if (next) open(next);
  };
  useKeys({ go, close });
  return { uuid, query, rooms, open, close };
}

const pane = (isShown: boolean) => ({
  display: { xs: isShown ? 'flex' : 'none', md: 'flex' },
  flexDirection: 'column' as const,
});
const leftPane = {
  width: { xs: '100%', md: 300, xl: 340 },
  flexShrink: 0,
  borderRight: { md: 1 },
  borderColor: { md: 'divider' },
};
const frame = { display: 'flex', marginY: 1, height: 'calc(100dvh - 72px)', minHeight: 320, overflow: 'hidden' };

/** The support inbox: the list of rooms beside the open conversation. */
export function Inbox() {
  const t = useText();
  const [drafts] = useState(() => createDrafts(sessionStorage));
  const { identity, isPending } = useGetIdentity();
  const [nobody] = useState(() => crypto.randomUUID());
  const administrator = isPending ? undefined : String(identity?.id ?? nobody);
  // A reload would keep the draft, but take the cursor away from the writer.
  useUnsaved(() => administrator !== undefined && drafts.isAny(administrator));
  const { uuid, query, rooms, open, close } = useInbox();
  const owner = rooms.find((room) => room.uuid === uuid)?.user;

  const list = () => {
    if (query.rooms) return <RoomList rooms={rooms} openUuid={uuid} open={open} query={query} />;
    return query.error ? <Failure error={query.error} retry={query.refetch} /> : <Loading />;
  };
  return (
    <Paper variant="outlined" sx={frame}>
      <PageTitle title={t('resources.support.title')} />
      <Box sx={{ ...pane(uuid === undefined), ...leftPane }}>
        {list()}
        <AllowNotifications />
        <Typography variant="caption" color="textSecondary" sx={{ display: { xs: 'none', md: 'block' }, padding: 1 }}>
          {t('resources.support.keys')}
        </Typography>
      </Box>
      <Box sx={{ ...pane(uuid !== undefined), flexGrow: 1, minWidth: 0 }}>
        {uuid === undefined && <Empty text={t('resources.support.choose')} />}
        {uuid !== undefined && (
          <Conversation key={uuid} uuid={uuid} owner={owner} close={close}>
            {(sent) =>
              administrator !== undefined && (
                <Reply uuid={uuid} administrator={administrator} drafts={drafts} id={REPLY} sent={sent} />
              )
            }
          </Conversation>
        )}
      </Box>
    </Paper>
  );
}
