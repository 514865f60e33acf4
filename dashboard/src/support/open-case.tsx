import { Navigate, useLocation } from 'react-router-dom';
import { Failure, Loading } from '../shared/page/states.tsx';
import { CaseAside, CaseHistory } from './case-aside.tsx';
import { useCaseDetail, useCaseOfRoom } from './case-queries.ts';
import type { Case } from './case.ts';
import { Composer, type ComposerProps } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import { PersonAside } from './person-aside.tsx';
import { useAnnounce, type Colleagues } from './presence.ts';

export interface OpenProps extends Pick<ComposerProps, 'drafts' | 'mode' | 'setMode'> {
  /** The administrator's id; undefined while loading. */
  administrator: string | undefined;
  colleagues: Colleagues;
  /** The case as the list has it. */
  listed: Case | undefined;
  close: () => void;
}

/** The conversation about a case. */
export function OpenCase({ id, administrator, colleagues, listed, close, ...composer }: OpenProps & { id: number }) {
  const { data: detail, error, refetch } = useCaseDetail(id);
  const typed = useAnnounce(id, colleagues.add);
  const of = detail ?? listed;
  if (!of) return error ? <Failure error={error} retry={refetch} /> : <Loading />;
  const about = (
    <>
      <CaseAside of={of} />
      <PersonAside id={of.user.id} />
      {detail && <CaseHistory of={detail} />}
    </>
  );
  return (
    <Conversation
      uuid={of.room_uuid}
      user={of.user}
      of={of}
      notes={detail?.notes ?? []}
      colleagues={colleagues.at(id)}
      about={about}
      close={close}
    >
      {(sent) =>
        administrator !== undefined && (
          <Composer
            {...composer}
            uuid={of.room_uuid}
            user={of.user}
            of={of}
            administrator={administrator}
            sent={sent}
            typed={typed}
          />
        )
      }
    </Conversation>
  );
}

/** The newest case of a room; without a case, the messages alone. */
export function OpenRoom({ uuid, administrator, close, ...composer }: Omit<OpenProps, 'listed'> & { uuid: string }) {
  const { data, error, refetch } = useCaseOfRoom(uuid);
  const { search } = useLocation();
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <Loading />;
  if (data.caseId !== undefined) return <Navigate to={`/support/${data.caseId}${search}`} replace />;
  const { drafts, mode, setMode } = composer;
  const { user } = data;
  return (
    <Conversation
      uuid={uuid}
      user={user}
      of={undefined}
      notes={[]}
      colleagues={[]}
      about={<PersonAside id={user.id} />}
      close={close}
    >
      {(sent) =>
        administrator !== undefined && (
          <Composer
            {...{ uuid, user, administrator, drafts, mode, setMode, sent }}
            of={undefined}
            typed={() => undefined}
          />
        )
      }
    </Conversation>
  );
}
