import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import Typography from '@mui/material/Typography';
import VisibilityIcon from '@mui/icons-material/VisibilityOutlined';
import TypingIcon from '@mui/icons-material/EditOutlined';
import { useText } from '../i18n/i18n.ts';
import { Empty } from '../shared/page/states.tsx';
import { Status } from '../shared/record/status.tsx';
import { Ago } from '../shared/time/time.tsx';
import type { Case } from './case.ts';
import type { Colleague } from './presence.ts';
import type { Message } from './room.ts';

export interface CaseListProps {
  cases: Case[];
  openId: number | undefined;
  open: (chosen: Case) => void;
  colleaguesAt: (caseId: number) => Colleague[];
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

export const nameOf = ({ id, name }: { id: number; name: string }) => (name === '' ? `#${id}` : name);

/** A message as one line of text. */
function usePreview() {
  const t = useText();
  return ({ message, type }: Message) =>
    message !== '' ? message : t(`resources.support.kinds.${type === 'message' ? 'file' : type}`);
}

function Need({ of }: { of: Case }) {
  const t = useText();
  if (of.state !== 'open') return <Status of={of.state} />;
  if (of.unread > 0) return <Chip size="small" color="primary" label={t('resources.support.unread')} />;
  if (of.waiting_since !== null)
    return <Chip size="small" color="warning" variant="outlined" label={t('resources.support.waiting')} />;
  return null;
}

/** A line with what a colleague does. */
export function ColleagueLine({ of: { name, state } }: { of: Colleague }) {
  const t = useText();
  const Icon = state === 'typing' ? TypingIcon : VisibilityIcon;
  return (
    <Typography variant="caption" color="info" component="p" sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
      <Icon sx={{ fontSize: 14 }} />
      <span>
        {t(state === 'typing' ? 'resources.support.presence.typing' : 'resources.support.presence.viewing', { name })}
      </span>
    </Typography>
  );
}

const between = { display: 'flex', justifyContent: 'space-between', gap: 1 };

interface EntryProps {
  of: Case;
  isOpen: boolean;
  open: () => void;
  colleagues: Colleague[];
}

function Entry({ of, isOpen, open, colleagues }: EntryProps) {
  const t = useText();
  const preview = usePreview();
  const { last_message: last, assignee, labels } = of;
  const isUnread = of.unread > 0;
  const since = of.waiting_since ?? last?.created_at;
  const facts = [...(assignee ? [assignee.name] : []), ...labels].join(' · ');
  return (
    <ListItem disablePadding>
      <ListItemButton selected={isOpen} aria-current={isOpen} onClick={open} sx={{ display: 'block', paddingX: 2 }}>
        <Box sx={between}>
          <Typography noWrap dir="auto" sx={{ fontWeight: isUnread ? 700 : 500 }}>
            {nameOf(of.user)}
          </Typography>
          {since !== undefined && (
            <Typography variant="caption" color="textSecondary" sx={{ flexShrink: 0 }}>
              <Ago at={since} />
            </Typography>
          )}
        </Box>
        <Box sx={{ ...between, minHeight: 24 }}>
          <Typography noWrap dir="auto" variant="body2" color="textSecondary" sx={{ fontWeight: isUnread ? 700 : 400 }}>
            {last ? preview(last) : t('resources.support.nothing')}
          </Typography>
          <Need of={of} />
        </Box>
        {facts !== '' && (
          <Typography noWrap dir="auto" variant="caption" component="p" color="textSecondary">
            {facts}
          </Typography>
        )}
        {colleagues.map((each) => (
          <ColleagueLine key={each.id} of={each} />
        ))}
      </ListItemButton>
    </ListItem>
  );
}

export function CaseList({ cases, openId, open, colleaguesAt, query }: CaseListProps) {
  const t = useText();
  if (cases.length === 0)
    return (
      <Box sx={{ flexGrow: 1 }}>
        <Empty />
      </Box>
    );
  return (
    <Box component="nav" aria-label={t('resources.support.rooms')} sx={{ overflowY: 'auto', flexGrow: 1 }}>
      <List disablePadding>
        {cases.map((each) => (
          <Entry
            key={each.id}
            of={each}
            isOpen={each.id === openId}
            open={() => open(each)}
            colleagues={colleaguesAt(each.id)}
          />
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
