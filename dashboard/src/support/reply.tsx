import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import AttachIcon from '@mui/icons-material/AttachFileOutlined';
import SendIcon from '@mui/icons-material/SendOutlined';
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { useDataProvider } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { isComposing } from '../shared/forms/composing.ts';
import { Field } from '../shared/forms/field.tsx';
import type { Intention } from '../shared/forms/reading.ts';
import { SubmissionProvider, useSubmission } from '../shared/forms/submission.ts';
import { useUnsaved } from '../shared/forms/unsaved.ts';
import type { Drafts } from './drafts.ts';
import { useAddMessage } from './queries.ts';
import type { Message } from './room.ts';

const FORM = { borderTop: 1, borderColor: 'divider', padding: 1 };

interface Upload {
  file: File;
  link: { message_link: string; type: Message['type'] };
}

/** Uploads a file once: a retry of the same send reuses the link. */
function useUpload(uuid: string) {
  const provider = useDataProvider<ServerProvider>();
  const uploaded = useRef<Upload>(undefined);
  return async (file: File | undefined) => {
    if (!file) return {};
    if (uploaded.current?.file !== file) {
      const { url, type } = await provider.upload('/api/admin/rooms/{uuid}/files', file, { name: file.name, uuid });
      uploaded.current = { file, link: { message_link: url, type } };
    }
    return uploaded.current.link;
  };
}

/** Enter sends and Shift+Enter starts a new line. An Enter that an input method handles does neither. */
function sendOnEnter(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return;
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
          // Without this, choosing the same file again triggers no event.
          target.value = '';
        }}
      />
    </>
  );
}

/** The room's draft, and its intention while the outcome of a send is unknown. */
function useDraft({ administrator, uuid, drafts }: Pick<ReplyProps, 'administrator' | 'uuid' | 'drafts'>) {
  const stored = () => drafts.of(administrator, uuid);
  const [text, setText] = useState(() => stored().text);
  const write = (value: string) => {
    setText(value);
    drafts.keep(administrator, uuid, { ...stored(), text: value });
  };
  const [intention] = useState(() => ({
    get current() {
      return stored().intention;
    },
    set current(now: Intention | undefined) {
      drafts.keep(administrator, uuid, { text: stored().text, ...(now && { intention: now }) });
    },
  }));
  return { text, write, intention };
}

interface Sending {
  uuid: string;
  file: File | undefined;
  intention: { current: Intention | undefined };
  sent: () => void;
}

function useSending({ uuid, file, intention, sent }: Sending) {
  const provider = useDataProvider<ServerProvider>();
  const addMessage = useAddMessage();
  const upload = useUpload(uuid);
  return useSubmission(
    async ({ message = '' }, key) => {
      const body = { ...(await upload(file)), message: message.trim() };
      const options = { params: { path: { uuid }, header: { 'Idempotency-Key': key } }, body };
      addMessage(await provider.request((client) => client.POST('/api/admin/rooms/{uuid}/messages', options)));
      sent();
    },
    { also: file, kept: intention },
  );
}

export interface ReplyProps {
  uuid: string;
  /** The administrator's id. */
  administrator: string;
  drafts: Drafts;
  id: string;
  /** Called when the message has been sent and is shown. */
  sent: () => void;
}

/** The reply form. */
export function Reply({ id, sent, ...room }: ReplyProps) {
  const t = useText();
  const { text, write, intention } = useDraft(room);
  const [file, setFile] = useState<File>();
  useUnsaved(() => file !== undefined);
  const done = () => {
    write('');
    setFile(undefined);
    sent();
  };
  const { submit, ...form } = useSending({ uuid: room.uuid, file, intention, sent: done });
  const isEmpty = text.trim() === '' && file === undefined;
  const send = (event: FormEvent<HTMLFormElement>) => (isEmpty ? event.preventDefault() : submit(event));
  return (
    <Box component="form" onSubmit={send} noValidate sx={FORM}>
      {form.refusal !== undefined && <Alert severity="error">{form.refusal}</Alert>}
      {file && (
        <Chip label={file.name} onDelete={() => setFile(undefined)} disabled={form.isRunning} sx={{ margin: 1 }} />
      )}
      <Box sx={{ display: 'flex', alignItems: 'flex-end', gap: 1 }}>
        <Attach choose={setFile} isDisabled={form.isRunning} />
        <SubmissionProvider value={form}>
          <Field
            name="message"
            value={text}
            id={id}
            label={t('resources.support.reply')}
            onChange={({ target }) => write(target.value)}
            onKeyDown={sendOnEnter}
            slotProps={{ htmlInput: { readOnly: form.isRunning, dir: 'auto' } }}
            // Keeps the focus while sending; readOnly prevents changes.
            disabled={false}
            margin="none"
            multiline
            maxRows={8}
            size="small"
          />
        </SubmissionProvider>
        <Button
          type="submit"
          variant="contained"
          loading={form.isRunning}
          disabled={isEmpty}
          sx={{ flexShrink: 0, gap: 1 }}
        >
          <SendIcon fontSize="small" sx={{ display: { xs: 'none', md: 'block' } }} />
          {t('resources.support.send')}
        </Button>
      </Box>
    </Box>
  );
}
