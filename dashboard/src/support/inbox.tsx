import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import KeysIcon from '@mui/icons-material/KeyboardOutlined';
import SavedIcon from '@mui/icons-material/QuickreplyOutlined';
import { useState } from 'react';
import { useText } from '../i18n/i18n.ts';
import { useUnsaved } from '../shared/forms/unsaved.ts';
import { PageTitle } from '../shared/page/page-title.tsx';
import { Empty, Failure, Loading } from '../shared/page/states.tsx';
import { AllowNotifications } from './allow-notifications.tsx';
import { CaseFilters } from './case-filters.tsx';
import { CaseList } from './case-list.tsx';
import { useMe } from './case-queries.ts';
import { createDrafts } from './drafts.ts';
import { KeysDialog } from './keys.tsx';
import { OpenCase, OpenRoom, type OpenProps } from './open-case.tsx';
import { useColleagues } from './presence.ts';
import { useLiveSupport } from './queries.ts';
import { ManageReplies } from './saved-replies.tsx';
import { useDesk } from './use-desk.ts';

const pane = (isShown: boolean) => ({
  display: { xs: isShown ? 'flex' : 'none', md: 'flex' },
  flexDirection: 'column' as const,
});
const leftPane = {
  width: { xs: '100%', md: 300, xl: 340 },
  flexShrink: 0,
  borderRight: { md: 1 },
  borderColor: { md: 'divider' },
};
const frame = { display: 'flex', marginY: 1, height: 'calc(100dvh - 72px)', minHeight: 320, overflow: 'hidden' };

type Desk = ReturnType<typeof useDesk>;

/** The buttons below the list. */
function Footer({ showKeys }: { showKeys: () => void }) {
  const t = useText();
  const [isManaging, setManaging] = useState(false);
  return (
    <Box sx={{ borderTop: 1, borderColor: 'divider', padding: 0.5, display: 'flex', flexWrap: 'wrap', gap: 0.5 }}>
      <Button size="small" startIcon={<SavedIcon />} onClick={() => setManaging(true)}>
        {t('resources.support.saved.title')}
      </Button>
      <Button
        size="small"
        startIcon={<KeysIcon />}
        onClick={showKeys}
        sx={{ display: { xs: 'none', md: 'inline-flex' } }}
      >
        {t('resources.support.keys.button')}
      </Button>
      <AllowNotifications />
      <ManageReplies isOpen={isManaging} close={() => setManaging(false)} />
    </Box>
  );
}

function List({ desk, colleaguesAt }: { desk: Desk; colleaguesAt: ReturnType<typeof useColleagues>['at'] }) {
  const { query, cases, address, open, choice, choose } = desk;
  return (
    <>
      <CaseFilters choice={choice} choose={choose} cases={cases} />
      {query.cases ? (
        <CaseList cases={cases} openId={address.id} open={open} colleaguesAt={colleaguesAt} query={query} />
      ) : (
        <Box sx={{ flexGrow: 1 }}>
          {query.error ? <Failure error={query.error} retry={query.refetch} /> : <Loading />}
        </Box>
      )}
    </>
  );
}

/** The conversation of the address. */
function Opened({ desk: { address, cases }, ...open }: { desk: Desk } & Omit<OpenProps, 'listed'>) {
  const t = useText();
  if (address.id !== undefined) {
    const listed = cases.find(({ id }) => id === address.id);
    return <OpenCase key={address.id} id={address.id} listed={listed} {...open} />;
  }
  if (address.room !== undefined) return <OpenRoom key={address.room} uuid={address.room} {...open} />;
  return <Empty text={t('resources.support.choose')} />;
}

/** The desk: the list of cases, the open conversation, and the person beside it. */
export function Inbox() {
  const t = useText();
  const me = useMe();
  const [drafts] = useState(() => createDrafts(sessionStorage));
  const administrator = me === undefined ? undefined : String(me);
  // A reload would keep the drafts, but take the cursor away from the writer.
  useUnsaved(() => administrator !== undefined && drafts.isAny(administrator));
  const desk = useDesk(me);
  const colleagues = useColleagues(me);
  useLiveSupport();
  const isOpen = desk.address.id !== undefined || desk.address.room !== undefined;
  return (
    <Paper variant="outlined" sx={frame}>
      <PageTitle title={t('resources.support.title')} />
      <Box sx={{ ...pane(!isOpen), ...leftPane }}>
        <List desk={desk} colleaguesAt={colleagues.at} />
        <Footer showKeys={() => desk.setKeysShown(true)} />
      </Box>
      <Box sx={{ ...pane(isOpen), flexGrow: 1, minWidth: 0 }}>
        <Opened
          desk={desk}
          administrator={administrator}
          drafts={drafts}
          colleagues={colleagues}
          mode={desk.mode}
          setMode={desk.setMode}
          close={desk.close}
        />
      </Box>
      <KeysDialog isOpen={desk.isKeysShown} close={() => desk.setKeysShown(false)} />
    </Paper>
  );
}
