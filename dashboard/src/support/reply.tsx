import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import TextField from '@mui/material/TextField';
import AttachIcon from '@mui/icons-material/AttachFileOutlined';
import SendIcon from '@mui/icons-material/SendOutlined';
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { useDataProvider } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { useSubmission } from '../shared/forms/submission.ts';
import { useUnsaved } from '../shared/forms/unsaved.ts';
import { useArrivals } from './queries.ts';
import type { Message } from './room.ts';

interface Sent {
  file: File;
  link: { message_link: string; type: Message['type'] };
}

/** Uploads a file, once: a repeat of the send takes the link that there is. */
function useUpload(uuid: string) {
  const provider = useDataProvider<ServerProvider>();
  const sent = useRef<Sent>(undefined);
  return async (file: File | undefined) => {
    if (!file) return {};
    if (sent.current?.file !== file) {
      const { url, type } = await provider.upload('/api/admin/rooms/{uuid}/files', file, { name: file.name, uuid });
      sent.current = { file, link: { message_link: url, type } };
    }
    return sent.current.link;
  };
}

/** Enter sends, Shift and Enter begin a new line; not while a character is being composed. */
function sendOnEnter(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.closest('form')?.requestSubmit();
}

function Attach({ choose, isDisabled }: { choose: (file: File | undefined) => void; isDisabled: boolean }) {
  const t = useText();
  const input = useRef<HTMLInputElement>(null);
  const name = t('resources.support.attach');
  return (
    <>
      <IconButton onClick={() => input.current?.click()} disabled={isDisabled} aria-label={name} title={name}>
        <AttachIcon />
      </IconButton>
      <input
        ref={input}
        type="file"
        hidden
        onChange={({ target }) => {
          choose(target.files?.[0]);
          // The same file again is a choice too.
          target.value = '';
        }}
      />
    </>
  );
}

/** What is written in a room and not sent yet: kept while other rooms are open. */
function useDraft(uuid: string, drafts: Map<string, string>) {
  const [text, setText] = useState(drafts.get(uuid) ?? '');
  const write = (value: string) => {
    setText(value);
    drafts.set(uuid, value);
  };
  return [text, write] as const;
}

function useSending(uuid: string, text: string, file: File | undefined, sent: () => void) {
  const provider = useDataProvider<ServerProvider>();
  const arrive = useArrivals();
  const upload = useUpload(uuid);
  return useSubmission(async (_fields, key) => {
    const body = { ...(await upload(file)), message: text.trim() };
    const given = { params: { path: { uuid }, header: { 'Idempotency-Key': key } }, body };
    arrive(await provider.ask((client) => client.POST('/api/admin/rooms/{uuid}/messages', given)));
    sent();
  });
}

export interface ReplyProps {
  uuid: string;
  drafts: Map<string, string>;
  id: string;
  /** The message has been sent and is shown. */
  sent: () => void;
}

/** Where one answers. */
export function Reply({ uuid, drafts, id, sent }: ReplyProps) {
  const t = useText();
  const [text, write] = useDraft(uuid, drafts);
  const [file, setFile] = useState<File>();
  useUnsaved(() => file !== undefined);
  const { submit, refusal, errors, isRunning } = useSending(uuid, text, file, () => {
    write('');
    setFile(undefined);
    sent();
  });
  const isEmpty = text.trim() === '' && file === undefined;
  const send = (event: FormEvent<HTMLFormElement>) => (isEmpty ? event.preventDefault() : submit(event));
  const said = refusal ?? errors['file'];
  const field = { value: text, error: errors['message'] !== undefined, helperText: errors['message'] };
  return (
    <Box component="form" onSubmit={send} noValidate sx={{ borderTop: 1, borderColor: 'divider', padding: 1 }}>
      {said !== undefined && <Alert severity="error">{said}</Alert>}
      {file && <Chip label={file.name} onDelete={() => setFile(undefined)} disabled={isRunning} sx={{ margin: 1 }} />}
      <Box sx={{ display: 'flex', alignItems: 'flex-end', gap: 1 }}>
        <Attach choose={setFile} isDisabled={isRunning} />
        <TextField
          {...field}
          id={id}
          label={t('resources.support.reply')}
          onChange={({ target }) => write(target.value)}
          onKeyDown={sendOnEnter}
          slotProps={{ htmlInput: { readOnly: isRunning } }}
          multiline
          maxRows={8}
          size="small"
          fullWidth
        />
        <Button type="submit" variant="contained" loading={isRunning} disabled={isEmpty} sx={{ flexShrink: 0, gap: 1 }}>
          <SendIcon fontSize="small" sx={{ display: { xs: 'none', md: 'block' } }} />
          {t('resources.support.send')}
        </Button>
      </Box>
    </Box>
  );
}
