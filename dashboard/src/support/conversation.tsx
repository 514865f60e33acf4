import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import CloseIcon from '@mui/icons-material/CloseOutlined';
import { useRef } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { Empty, Failure, Loading } from '../shared/states.tsx';
import { MessageBubble } from './message-bubble.tsx';
import { useMessages, useOwner, useStaff } from './queries.ts';
import { Reply } from './reply.tsx';
import type { Room } from './room.ts';

export interface ConversationProps {
  uuid: string;
  /** Whose room it is; undefined when the list does not have it. */
  owner: Room['user'] | undefined;
  close: () => void;
  /** What was begun in each room and not sent. */
  drafts: Map<string, string>;
  replyId: string;
}

const nameOf = ({ id, name }: Room['user']) => (name === '' ? `#${id}` : name);

function Header({ owner, close }: { owner: Room['user'] | undefined; close: () => void }) {
  const t = useText();
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, padding: 1, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ flexGrow: 1, minWidth: 0, paddingLeft: 1 }}>
        {owner && (
          <Typography component="h2" noWrap sx={{ fontWeight: 600 }}>
            <Link component={RouterLink} to={`/people/${owner.id}/show`}>
              {nameOf(owner)}
            </Link>
          </Typography>
        )}
        <Typography variant="caption" color="textSecondary" noWrap component="p">
          {[owner?.email, owner?.phone_number].filter(Boolean).join(' · ')}
        </Typography>
      </Box>
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
  if (!data) return error ? <Failure error={error} again={refetch} /> : <Loading />;
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

/** A room's messages, above the field in which one answers. */
export function Conversation({ uuid, owner: listed, close, drafts, replyId }: ConversationProps) {
  const t = useText();
  const asked = useOwner(uuid, listed !== undefined);
  const owner = listed ?? asked.data;
  const log = useRef<HTMLElement>(null);
  return (
    <>
      <Header owner={owner} close={close} />
      {/* Reversed: the browser keeps the newest in view, and stays where it is when older ones are put on top. */}
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
      <Reply uuid={uuid} drafts={drafts} id={replyId} sent={() => log.current?.scrollTo({ top: 0 })} />
    </>
  );
}
