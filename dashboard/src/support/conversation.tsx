import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { Theme } from '@mui/material/styles';
import BackIcon from '@mui/icons-material/ArrowBackOutlined';
import CloseIcon from '@mui/icons-material/CloseOutlined';
import PersonIcon from '@mui/icons-material/PersonOutlined';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useGetOne } from 'ra-core';
import { useText } from '../i18n/i18n.ts';
import { useRegion } from '../i18n/region.ts';
import type { Person } from '../people/person.ts';
import { useRights } from '../shared/queries/rights.ts';
import { useStaff } from '../shared/queries/staff.ts';
import { Empty, Failure, Loading } from '../shared/page/states.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
import { Status } from '../shared/record/status.tsx';
import { writtenTime } from '../shared/time/time.tsx';
import { CaseActions } from './case-actions.tsx';
import { ColleagueLine, nameOf } from './case-list.tsx';
import { withNotes, type Case, type Note } from './case.ts';
import { MessageBubble } from './message-bubble.tsx';
import { NoteBubble } from './note-bubble.tsx';
import type { Colleague } from './presence.ts';
import { useMessages, useReading } from './queries.ts';

interface User {
  id: number;
  name: string;
}

export interface ConversationProps {
  uuid: string;
  user: User;
  /** Undefined for a room without a case. */
  of: Case | undefined;
  notes: Note[];
  colleagues: Colleague[];
  /** The panel about the person. */
  about: ReactNode;
  close: () => void;
  /** The forms. They call `sent` when a message or note is shown. */
  children: (sent: () => void) => ReactNode;
}

/** The person's e-mail address and phone number, with the right to see people. */
function Contacts({ id }: User) {
  const { data } = useGetOne<Person>('people', { id });
  return (
    <Typography variant="caption" color="textSecondary" noWrap component="p">
      {[data?.email, data?.phone_number].filter(Boolean).join(' · ')}
    </Typography>
  );
}

/** Until when a snoozed case sleeps. */
function Wakes({ of: { state, snoozed_until: until } }: { of: Case }) {
  const t = useText();
  const region = useRegion();
  if (state !== 'snoozed') return null;
  const words =
    until === null
      ? t('resources.support.snooze.wakesByMessage')
      : t('resources.support.snooze.wakes', { time: writtenTime(until, region) });
  return (
    <Typography variant="caption" color="textSecondary" component="p">
      {words}
    </Typography>
  );
}

interface HeaderProps extends Pick<ConversationProps, 'user' | 'of' | 'colleagues' | 'close'> {
  /** Opens the panel about the person on narrow screens. */
  showPerson: () => void;
}

function Header({ user, of, colleagues, close, showPerson }: HeaderProps) {
  const t = useText();
  const { canDo } = useRights();
  const isPhone = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'));
  const about = t('resources.support.person');
  const leave = t(isPhone ? 'resources.support.back' : 'resources.support.close');
  const leaveButton = (
    <IconButton onClick={close} aria-label={leave} title={leave}>
      {isPhone ? <BackIcon /> : <CloseIcon />}
    </IconButton>
  );
  return (
    <Box sx={{ padding: 1, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        {isPhone && leaveButton}
        <Box sx={{ flexGrow: 1, minWidth: 0, paddingLeft: { md: 1 } }}>
          <Typography component="h2" noWrap sx={{ fontWeight: 600 }}>
            <RecordLink resource="people" id={user.id}>
              {nameOf(user)}
            </RecordLink>
          </Typography>
          {canDo('people', 'get') && <Contacts {...user} />}
        </Box>
        {of && <Status of={of.state} />}
        <IconButton onClick={showPerson} aria-label={about} title={about} sx={{ display: { lg: 'none' } }}>
          <PersonIcon />
        </IconButton>
        {!isPhone && leaveButton}
      </Box>
      <Box sx={{ paddingLeft: 1, paddingTop: 0.5 }}>
        {of && <CaseActions of={of} />}
        {of && <Wakes of={of} />}
        {!of && (
          <Typography variant="caption" color="textSecondary">
            {t('resources.support.without')}
          </Typography>
        )}
        <Box role="status">
          {colleagues.map((each) => (
            <ColleagueLine key={each.id} of={each} />
          ))}
        </Box>
      </Box>
    </Box>
  );
}

function Messages({ uuid, user, notes }: Pick<ConversationProps, 'uuid' | 'user' | 'notes'>) {
  const t = useText();
  const staff = useStaff();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useMessages(uuid);
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <Loading />;
  const lines = withNotes(data.pages.toReversed().flat(), notes, !hasNextPage);
  const authorOf = (id: number) =>
    id === user.id ? nameOf(user) : (staff.get(id) ?? t('resources.support.staff', { id }));
  return (
    <>
      {hasNextPage && (
        <Button size="small" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('resources.support.older')}
        </Button>
      )}
      {lines.length === 0 && <Empty text={t('resources.support.nothing')} />}
      {lines.map((line) =>
        'note' in line ? (
          <NoteBubble key={`note-${line.note.id}`} note={line.note} />
        ) : (
          <MessageBubble
            key={line.message.id}
            message={line.message}
            author={authorOf(line.message.sender_id)}
            isStaff={line.message.sender_id !== user.id}
          />
        ),
      )}
    </>
  );
}

const ASIDE = { width: { xs: '100vw', sm: 340, lg: 300 }, padding: 2, overflowY: 'auto', flexShrink: 0 } as const;

interface AboutProps {
  isShown: boolean;
  hide: () => void;
  children: ReactNode;
}

/** The panel about the person: beside the conversation on wide screens, otherwise a drawer. */
function About({ isShown, hide, children }: AboutProps) {
  const t = useText();
  const isWide = useMediaQuery<Theme>((theme) => theme.breakpoints.up('lg'));
  const isPhone = useMediaQuery<Theme>((theme) => theme.breakpoints.down('sm'));
  const label = t('resources.support.person');
  if (isWide)
    return (
      <Box component="aside" aria-label={label} tabIndex={0} sx={{ ...ASIDE, borderLeft: 1, borderColor: 'divider' }}>
        {children}
      </Box>
    );
  return (
    <Drawer anchor="right" open={isShown} onClose={hide} slotProps={{ paper: { sx: ASIDE, 'aria-label': label } }}>
      <IconButton
        onClick={hide}
        aria-label={t('resources.support.backToMessages')}
        sx={{ alignSelf: { xs: 'flex-start', sm: 'flex-end' } }}
      >
        {isPhone ? <BackIcon /> : <CloseIcon />}
      </IconButton>
      {/* Not a flex container, which would squeeze the sections. */}
      <Box>{children}</Box>
    </Drawer>
  );
}

/** A room's messages and notes above the forms, and the panel about its user. */
export function Conversation({ children, about, ...shown }: ConversationProps) {
  const t = useText();
  const { uuid, user, of, notes, colleagues, close } = shown;
  const [isPersonShown, setPersonShown] = useState(false);
  useReading(uuid);
  const log = useRef<HTMLElement>(null);
  // The focus of a removed conversation moves to the new one, where keys work and arrows scroll.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) log.current?.focus();
  }, []);
  return (
    <Box sx={{ display: 'flex', flexGrow: 1, minHeight: 0 }}>
      <Box sx={{ display: 'flex', flexDirection: 'column', flexGrow: 1, minWidth: 0 }}>
        <Header user={user} of={of} colleagues={colleagues} close={close} showPerson={() => setPersonShown(true)} />
        {/* column-reverse keeps the newest message in view, and the scroll position when older ones are added. */}
        <Box
          ref={log}
          role="log"
          tabIndex={0}
          aria-label={t('resources.support.messages')}
          sx={{ flexGrow: 1, minHeight: 0, overflowY: 'auto', display: 'flex', flexDirection: 'column-reverse' }}
        >
          <Box sx={{ display: 'flex', flexDirection: 'column', gap: 1, padding: 2 }}>
            <Messages uuid={uuid} user={user} notes={notes} />
          </Box>
        </Box>
        {children(() => log.current?.scrollTo({ top: 0 }))}
      </Box>
      <About isShown={isPersonShown} hide={() => setPersonShown(false)}>
        {about}
      </About>
    </Box>
  );
}
