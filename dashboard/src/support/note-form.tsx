import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NoteIcon from '@mui/icons-material/LockOutlined';
import type { FormEvent } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useDataProvider } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { Field } from '../shared/forms/field.tsx';
import { SubmissionProvider, useSubmission } from '../shared/forms/submission.ts';
import { DETAILS } from './case-queries.ts';
import type { CaseDetail } from './case.ts';
import { noteDraft } from './drafts.ts';
import { sendOnEnter } from './reply.tsx';
import { useDraft, type DraftOptions } from './use-draft.ts';

export interface NoteFormProps extends Omit<DraftOptions, 'name'> {
  caseId: number;
  id: string;
  /** Called when the note is shown. */
  added: () => void;
}

/** The form for a note. The person never sees a note. */
export function NoteForm({ caseId, id, added, ...of }: NoteFormProps) {
  const t = useText();
  const provider = useDataProvider<ServerProvider>();
  const queries = useQueryClient();
  const { text, write, intention } = useDraft({ ...of, name: noteDraft(caseId) });
  const { submit, ...form } = useSubmission(
    async ({ text: typed = '' }, key) => {
      const params = { path: { id: String(caseId) }, header: { 'Idempotency-Key': key } };
      const body = { text: typed.trim() };
      const note = await provider.request((client) =>
        client.POST('/api/admin/desk/cases/{id}/notes', { params, body }),
      );
      queries.setQueryData<CaseDetail>(
        [...DETAILS, caseId],
        (cached) => cached && { ...cached, notes: [...cached.notes.filter((each) => each.id !== note.id), note] },
      );
      write('');
      added();
    },
    { kept: intention },
  );
  const isEmpty = text.trim() === '';
  const send = (event: FormEvent<HTMLFormElement>) => (isEmpty ? event.preventDefault() : submit(event));
  return (
    <Box component="form" onSubmit={send} noValidate>
      {form.refusal !== undefined && <Alert severity="error">{form.refusal}</Alert>}
      <SubmissionProvider value={form}>
        <Field
          name="text"
          value={text}
          id={id}
          label={t('resources.support.note.label')}
          color="warning"
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
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', marginTop: 1 }}>
        <Button
          type="submit"
          variant="contained"
          color="warning"
          loading={form.isRunning}
          disabled={isEmpty}
          sx={{ gap: 1 }}
        >
          <NoteIcon fontSize="small" />
          {t('resources.support.note.add')}
        </Button>
      </Box>
    </Box>
  );
}
