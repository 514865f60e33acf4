import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import FileIcon from '@mui/icons-material/InsertDriveFileOutlined';
import { useText } from '../i18n/i18n.ts';
import { Time } from '../shared/time/time.tsx';
import { webLink, type Message } from './room.ts';

/** A message's attachment: a file of this system is embedded, anything else is a link. */
function Attachment({ message, author }: { message: Message; author: string }) {
  const t = useText();
  const url = webLink(message.message_link);
  if (!url) return null;
  const { href } = url;
  const isOurs = url.origin === window.location.origin;
  const shown = { maxWidth: '100%', maxHeight: 260, display: 'block', borderRadius: 6 };
  if (isOurs && message.type === 'audio')
    return <audio controls preload="none" src={href} style={{ maxWidth: '100%' }} />;
  if (isOurs && message.type === 'video') return <video controls preload="metadata" src={href} style={shown} />;
  const image = isOurs && message.type === 'image';
  return (
    <Link
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, overflowWrap: 'anywhere' }}
    >
      {image ? (
        <img src={href} alt={t('resources.support.imageFrom', { name: author })} style={shown} />
      ) : (
        <>
          <FileIcon fontSize="small" />
          {isOurs ? t(`resources.support.kinds.${message.type === 'message' ? 'file' : message.type}`) : href}
        </>
      )}
    </Link>
  );
}

export interface MessageBubbleProps {
  message: Message;
  author: string;
  isStaff: boolean;
}

/** A message: the user's on the left, administrators' on the right. */
export function MessageBubble({ message, author, isStaff }: MessageBubbleProps) {
  const t = useText();
  const isRead = isStaff && message.status === 'read';
  return (
    <Box
      component="article"
      aria-label={t('resources.support.from', { name: author })}
      sx={{
        alignSelf: isStaff ? 'flex-end' : 'flex-start',
        maxWidth: { xs: '92%', md: '75%' },
        paddingX: 1.5,
        paddingY: 1,
        borderRadius: 2,
        backgroundColor: isStaff ? 'action.selected' : 'background.default',
      }}
    >
      <Typography variant="caption" component="p" color="textSecondary">
        <bdi>{author}</bdi> · <Time at={message.created_at} />
        {isRead && ` · ${t('resources.support.read')}`}
      </Typography>
      {message.message !== '' && (
        <Typography variant="body2" dir="auto" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {message.message}
        </Typography>
      )}
      <Attachment message={message} author={author} />
    </Box>
  );
}
