import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import CardContent from '@mui/material/CardContent';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { useDataProvider, useNotify } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { Action } from '../shared/forms/action.tsx';
import { useApiQuery } from '../shared/queries/api-query.ts';
import { Field } from '../shared/forms/field.tsx';
import { FormCard } from '../shared/forms/form-card.tsx';
import { useUnsaved } from '../shared/forms/unsaved.ts';
import { Failure, Loading } from '../shared/page/states.tsx';
import { CurrentPassword } from './current-password.tsx';
import { QrCode } from './qr-code.tsx';
import { useWords } from './words.ts';

interface Key {
  secret: string;
  uri: string;
}

/** Recovery codes are shown once, because the server stores only their hashes. */
function RecoveryCodes({ codes, leave }: { codes: string[]; leave: () => void }) {
  const t = useWords();
  const notify = useNotify();
  useUnsaved(() => true);
  const copy = async () => {
    await navigator.clipboard.writeText(codes.join('\n'));
    notify(t('copied'));
  };
  return (
    <Panel title={t('recoveryCodes')}>
      <Alert severity="success">{t('isOn')}</Alert>
      <Typography sx={{ marginY: 2 }}>{t('recoveryMeaning')}</Typography>
      <Box component="ul" sx={{ columns: 2, fontFamily: 'monospace', listStyle: 'none', padding: 0 }}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Box>
      <Button onClick={() => void copy()}>{t('copy')}</Button>
      <Button variant="contained" onClick={leave}>
        {t('understood')}
      </Button>
    </Panel>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card component="section">
      <CardContent>
        <Typography variant="h6" component="h2" gutterBottom>
          {title}
        </Typography>
        {children}
      </CardContent>
    </Card>
  );
}

function SetUp({ begin }: { begin: (key: Key) => void }) {
  const t = useWords();
  return (
    <FormCard title={t('totp')} submit={t('setUp')} run={useBegin(begin)}>
      <Typography>{t('totpMeaning')}</Typography>
      <CurrentPassword />
    </FormCard>
  );
}

function useBegin(begin: (key: Key) => void) {
  const provider = useDataProvider<ServerProvider>();
  return async ({ current_password = '' }) =>
    begin(await provider.request((client) => client.POST('/api/admin/auth/totp', { body: { current_password } })));
}

function IsOn() {
  const t = useWords();
  return (
    <Panel title={t('totp')}>
      <Alert severity="success" sx={{ marginBottom: 2 }}>
        {t('isOn')}
      </Alert>
      <SwitchOff />
    </Panel>
  );
}

function SwitchOff() {
  const t = useWords();
  return (
    <Action
      label={t('switchOff')}
      title={t('switchOffTitle')}
      done={t('switchedOff')}
      button={{ color: 'error' }}
      run={(provider, { current_password = '' }) =>
        provider.request((client) => client.DELETE('/api/admin/auth/totp', { body: { current_password } }))
      }
    >
      <CurrentPassword />
    </Action>
  );
}

/** Setting up and switching off the second factor. `leave` is called when the recovery codes have been read. */
export function SecondFactor({ leave }: { leave?: () => void }) {
  const t = useWords();
  const provider = useDataProvider<ServerProvider>();
  const [key, setKey] = useState<Key>();
  const [codes, setCodes] = useState<string[]>();
  useUnsaved(() => key !== undefined);
  const { data, error, refetch } = useApiQuery(['totp'], (client) => client.GET('/api/admin/auth/totp'));
  if (codes) return <RecoveryCodes codes={codes} leave={leave ?? (() => setCodes(undefined))} />;
  if (!key) {
    if (error) return <Failure error={error} retry={refetch} />;
    if (!data) return <Loading />;
    return data.totp ? <IsOn /> : <SetUp begin={setKey} />;
  }
  const confirm = async ({ code = '' }) => {
    const { recovery_codes } = await provider.request((client) =>
      client.PUT('/api/admin/auth/totp', { body: { code } }),
    );
    setKey(undefined);
    setCodes(recovery_codes);
    await refetch();
  };
  return (
    <FormCard title={t('totp')} submit={t('switchOn')} run={confirm}>
      <Typography sx={{ marginBottom: 2 }}>{t('scan')}</Typography>
      <QrCode content={key.uri} label={t('qr')} />
      <Typography sx={{ marginTop: 2, overflowWrap: 'anywhere' }}>
        {t('key')}: <code>{key.secret}</code>
      </Typography>
      <Field name="code" label={t('code')} autoComplete="one-time-code" inputMode="numeric" required />
    </FormCard>
  );
}
