import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import AttachIcon from '@mui/icons-material/AttachFileOutlined';
import SavedIcon from '@mui/icons-material/QuickreplyOutlined';
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
import { replyDraft } from './drafts.ts';
import { useShortcuts } from './keys.tsx';
import { useAddMessage } from './queries.ts';
import { fieldAttributes, PickerList, useReplyPicker } from './reply-picker.tsx';
import type { Message } from './room.ts';
import { useDraft, type DraftOptions } from './use-draft.ts';

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

const RESOLVE = 'resolve';

/**
 * Enter sends, Ctrl+Enter sends and resolves if that is offered, and Shift+Enter starts a new line. An Enter that an
 * input method handles does none of these.
 */
export function sendOnEnter(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return;
  event.preventDefault();
  const form = event.currentTarget.closest('form');
  const resolving = form?.elements.namedItem(RESOLVE);
  form?.requestSubmit(event.ctrlKey && resolving instanceof HTMLButtonElement ? resolving : null);
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
    async ({ message = '', resolve }, key) => {
      const words = { message: message.trim(), ...(resolve !== undefined && { resolve: true }) };
      const body = { ...(await upload(file)), ...words };
      const options = { params: { path: { uuid }, header: { 'Idempotency-Key': key } }, body };
      addMessage(await provider.request((client) => client.POST('/api/admin/rooms/{uuid}/messages', options)));
      sent();
    },
    { also: file, kept: intention },
  );
}

export interface ReplyProps extends Omit<DraftOptions, 'name'> {
  uuid: string;
  /** Undefined for a room without a case. */
  caseId: number | undefined;
  /** Whether the case can be resolved. */
  canResolve: boolean;
  id: string;
  /** Shows the form and moves the cursor to it. */
  focus: () => void;
  /** Called when the message has been sent and is shown. */
  sent: () => void;
}

interface ToolbarProps {
  choose: (file: File | undefined) => void;
  /** Offers the saved replies; undefined without a case. */
  offer: (() => void) | undefined;
  isEmpty: boolean;
  isRunning: boolean;
  canResolve: boolean;
}

/** The buttons below the field. */
function Toolbar({ choose, offer, isEmpty, isRunning, canResolve }: ToolbarProps) {
  const t = useText();
  const saved = t('resources.support.saved.title');
  return (
    <Box
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'flex-end', gap: 1, marginTop: 1 }}
    >
      <Attach choose={choose} isDisabled={isRunning} />
      {offer && (
        <IconButton onClick={offer} disabled={isRunning} aria-label={saved} title={saved}>
          <SavedIcon />
        </IconButton>
      )}
      <Box sx={{ flexGrow: 1 }} />
      {canResolve && (
        <Button type="submit" name={RESOLVE} value="true" variant="outlined" disabled={isEmpty || isRunning}>
          {t('resources.support.sendAndResolve')}
        </Button>
      )}
      <Button type="submit" variant="contained" loading={isRunning} disabled={isEmpty} sx={{ gap: 1 }}>
        <SendIcon fontSize="small" sx={{ display: { xs: 'none', md: 'block' } }} />
        {t('resources.support.send')}
      </Button>
    </Box>
  );
}

/** The reply form. */
export function Reply({ id, focus, sent, uuid, caseId, canResolve, ...of }: ReplyProps) {
  const t = useText();
  const { text, write, intention } = useDraft({ ...of, name: replyDraft(caseId ?? uuid) });
  const [file, setFile] = useState<File>();
  const picker = useReplyPicker({ caseId, text, write });
  useUnsaved(() => file !== undefined);
  const done = () => {
    write('');
    setFile(undefined);
    sent();
  };
  const { submit, ...form } = useSending({ uuid, file, intention, sent: done });
  const isEmpty = text.trim() === '' && file === undefined;
  const send = (event: FormEvent<HTMLFormElement>) => (isEmpty ? event.preventDefault() : submit(event));
  const offerReplies = () => {
    if (!text.endsWith('/')) write(text === '' || /\s$/.test(text) ? `${text}/` : `${text}\n/`);
    focus();
  };
  useShortcuts(caseId === undefined ? {} : { '/': offerReplies });
  return (
    <Box component="form" onSubmit={send} noValidate>
      {form.refusal !== undefined && <Alert severity="error">{form.refusal}</Alert>}
      {file && (
        <Chip label={file.name} onDelete={() => setFile(undefined)} disabled={form.isRunning} sx={{ margin: 1 }} />
      )}
      <PickerList {...picker} />
      <SubmissionProvider value={form}>
        <Field
          name="message"
          value={text}
          id={id}
          label={t('resources.support.reply')}
          onChange={({ target }) => write(target.value)}
          onKeyDown={(event) => picker.onKey(event) || sendOnEnter(event)}
          slotProps={{
            htmlInput: { readOnly: form.isRunning || picker.isFilling, dir: 'auto', ...fieldAttributes(picker) },
          }}
          // Keeps the focus while sending; readOnly prevents changes.
          disabled={false}
          margin="none"
          multiline
          maxRows={8}
          size="small"
        />
      </SubmissionProvider>
      <Toolbar
        choose={setFile}
        offer={caseId === undefined ? undefined : offerReplies}
        isEmpty={isEmpty}
        isRunning={form.isRunning}
        canResolve={canResolve}
      />
    </Box>
  );
}
