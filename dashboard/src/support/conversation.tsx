import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { Theme } from '@mui/material/styles';
import CloseIcon from '@mui/icons-material/CloseOutlined';
import PersonIcon from '@mui/icons-material/PersonOutlined';
import { useRef, useState, type ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { useStaff } from '../shared/queries/staff.ts';
import { Empty, Failure, Loading } from '../shared/page/states.tsx';
import { MessageBubble } from './message-bubble.tsx';
import { PersonAside } from './person-aside.tsx';
import { useMessages, useOwner } from './queries.ts';
import type { Room } from './room.ts';

export interface ConversationProps {
  uuid: string;
  /** The room's user; undefined if the room is not in the list. */
  owner: Room['user'] | undefined;
  close: () => void;
  /** The reply form. It calls `sent` when a message has been sent and is shown. */
  children: (sent: () => void) => ReactNode;
}

const nameOf = ({ id, name }: Room['user']) => (name === '' ? `#${id}` : name);

interface HeaderProps {
  owner: Room['user'] | undefined;
  close: () => void;
  /** Opens the panel about the person on narrow screens. */
  showPerson: () => void;
}

function Header({ owner, close, showPerson }: HeaderProps) {
  const t = useText();
  const about = t('resources.support.person');
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, padding: 1, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ flexGrow: 1, minWidth: 0, paddingLeft: 1 }}>
        {owner && (
          <Typography component="h2" noWrap sx={{ fontWeight: 600 }}>
            <Link dir="auto" component={RouterLink} to={`/people/${owner.id}/show`}>
              {nameOf(owner)}
            </Link>
          </Typography>
        )}
        <Typography variant="caption" color="textSecondary" noWrap component="p">
          {[owner?.email, owner?.phone_number].filter(Boolean).join(' · ')}
        </Typography>
      </Box>
      <IconButton onClick={showPerson} aria-label={about} title={about} sx={{ display: { lg: 'none' } }}>
        <PersonIcon />
      </IconButton>
      <IconButton onClick={close} aria-label={t('resources.support.close')} title={t('resources.support.close')}>
        <CloseIcon />
      </IconButton>
    </Box>
  );
}

function Messages({ uuid, owner }: { uuid: string; owner: Room['user'] | undefined }) {
  const t = useText();
  const staff = useStaff();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useMessages(uuid);
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <Loading />;
  const messages = data.pages.toReversed().flat();
  const authorOf = (id: number) =>
    id === owner?.id ? nameOf(owner) : (staff.get(id) ?? t('resources.support.staff', { id }));
  return (
    <>
      {hasNextPage && (
        <Button size="small" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('resources.support.older')}
        </Button>
      )}
      {messages.length === 0 && <Empty text={t('resources.support.nothing')} />}
      {messages.map((message) => (
        <MessageBubble
          key={message.id}
          message={message}
          author={authorOf(message.sender_id)}
          isStaff={owner !== undefined && message.sender_id !== owner.id}
        />
      ))}
    </>
  );
}

const ASIDE = { width: 300, maxWidth: '90vw', padding: 2, overflowY: 'auto', flexShrink: 0 };

/** The panel about the person: beside the conversation on wide screens, otherwise a drawer. */
function About({
  owner: { id },
  isPersonShown,
  hide,
}: {
  owner: Room['user'];
  isPersonShown: boolean;
  hide: () => void;
}) {
  const t = useText();
  const isWide = useMediaQuery<Theme>((theme) => theme.breakpoints.up('lg'));
  const about = <PersonAside id={id} />;
  const label = t('resources.support.person');
  if (isWide)
    return (
      <Box component="aside" aria-label={label} tabIndex={0} sx={{ ...ASIDE, borderLeft: 1, borderColor: 'divider' }}>
        {about}
      </Box>
    );
  return (
    <Drawer
      anchor="right"
      open={isPersonShown}
      onClose={hide}
      slotProps={{ paper: { sx: ASIDE, 'aria-label': label } }}
    >
      <IconButton onClick={hide} aria-label={t('resources.support.close')} sx={{ alignSelf: 'flex-end' }}>
        <CloseIcon />
      </IconButton>
      {about}
    </Drawer>
  );
}

/** A room's messages above the reply form, and the panel about its user. */
export function Conversation({ uuid, owner: listed, close, children }: ConversationProps) {
  const t = useText();
  const ownerQuery = useOwner(uuid, listed !== undefined);
  const owner = listed ?? ownerQuery.data;
  const [isPersonShown, setPersonShown] = useState(false);
  const log = useRef<HTMLElement>(null);
  return (
    <Box sx={{ display: 'flex', flexGrow: 1, minHeight: 0 }}>
      <Box sx={{ display: 'flex', flexDirection: 'column', flexGrow: 1, minWidth: 0 }}>
        <Header owner={owner} close={close} showPerson={() => setPersonShown(true)} />
        {/* column-reverse keeps the newest message in view, and the scroll position when older ones are added. */}
        <Box
          ref={log}
          role="log"
          tabIndex={0}
          aria-label={t('resources.support.messages')}
          sx={{ flexGrow: 1, minHeight: 0, overflowY: 'auto', display: 'flex', flexDirection: 'column-reverse' }}
        >
          <Box sx={{ display: 'flex', flexDirection: 'column', gap: 1, padding: 2 }}>
            <Messages uuid={uuid} owner={owner} />
          </Box>
        </Box>
        {children(() => log.current?.scrollTo({ top: 0 }))}
      </Box>
      {owner && <About owner={owner} isPersonShown={isPersonShown} hide={() => setPersonShown(false)} />}
    </Box>
  );
}
