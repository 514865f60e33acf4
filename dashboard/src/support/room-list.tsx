import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import Typography from '@mui/material/Typography';
import { useText } from '../i18n/i18n.ts';
import { Empty } from '../shared/page/states.tsx';
import { Ago } from '../shared/time/time.tsx';
import { isUnread, isWaiting, type Message, type Room } from './room.ts';

export interface RoomListProps {
  rooms: Room[];
  openUuid: string | undefined;
  open: (room: Room) => void;
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** A message as one line of text. */
function usePreview() {
  const t = useText();
  return ({ message, type }: Message) =>
    message !== '' ? message : t(`resources.support.kinds.${type === 'message' ? 'file' : type}`);
}

function Waiting({ room }: { room: Room }) {
  const t = useText();
  if (isUnread(room)) return <Chip size="small" color="primary" label={t('resources.support.unread')} />;
  if (isWaiting(room))
    return <Chip size="small" color="warning" variant="outlined" label={t('resources.support.waiting')} />;
  return null;
}

function Entry({ room, isOpen, open }: { room: Room; isOpen: boolean; open: () => void }) {
  const t = useText();
  const preview = usePreview();
  const { user, last_message: last } = room;
  const weight = isUnread(room) ? 700 : 400;
  return (
    <ListItem disablePadding>
      <ListItemButton selected={isOpen} aria-current={isOpen} onClick={open} sx={{ display: 'block', paddingX: 2 }}>
        <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 1 }}>
          <Typography noWrap dir="auto" sx={{ fontWeight: isUnread(room) ? 700 : 500 }}>
            {user.name === '' ? `#${user.id}` : user.name}
          </Typography>
          {last && (
            <Typography variant="caption" color="textSecondary" sx={{ flexShrink: 0 }}>
              <Ago at={last.created_at} />
            </Typography>
          )}
        </Box>
        <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 1, minHeight: 24 }}>
          <Typography noWrap dir="auto" variant="body2" color="textSecondary" sx={{ fontWeight: weight }}>
            {last ? preview(last) : t('resources.support.nothing')}
          </Typography>
          <Waiting room={room} />
        </Box>
      </ListItemButton>
    </ListItem>
  );
}

export function RoomList({ rooms, openUuid, open, query }: RoomListProps) {
  const t = useText();
  if (rooms.length === 0)
    return (
      <Box sx={{ flexGrow: 1 }}>
        <Empty />
      </Box>
    );
  return (
    <Box component="nav" aria-label={t('resources.support.rooms')} sx={{ overflowY: 'auto', flexGrow: 1 }}>
      <List disablePadding>
        {rooms.map((room) => (
          <Entry key={room.uuid} room={room} isOpen={room.uuid === openUuid} open={() => open(room)} />
        ))}
      </List>
      {query.hasNextPage && (
        <Button fullWidth loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('resources.support.moreRooms')}
        </Button>
      )}
    </Box>
  );
}
