import { useQuery, type QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { useTranslate } from 'ra-core';
import { RELEASE } from '../../server/release.ts';
import { Refusal } from '../../server/server.ts';
import { PageTitle } from './page-title.tsx';
import { Failure, Loading } from './states.tsx';

type Part<Props> = { default: ComponentType<Props> };
type Load<Props> = () => Promise<Part<Props>>;

/** Throws Refusal: without a connection, when a release has taken the file away, or when it failed for now. */
async function fetchPart<Props>(load: Load<Props>, queries: QueryClient) {
  try {
    return await load();
  } catch {
    const release = await queries.fetchQuery(RELEASE);
    throw new Refusal(release === null ? 'states.failed' : 'release.there', 0);
  }
}

/**
 * A component whose code is fetched when it is first shown. What has failed can be tried again, which the browser does by
 * itself when it is online again. `name` is that of the code; `title` names the sentence over the page until it is there.
 */
export function fetched<Props extends object>(name: string, load: Load<Props>, title?: string) {
  // Once: refreshing a page asks for everything again, and another component would begin anew.
  let part: Part<Props> | undefined;
  return function Fetched(props: Props) {
    const translate = useTranslate();
    const { data, error, refetch } = useQuery({
      queryKey: ['code', name],
      queryFn: async ({ client }) => (part ??= await fetchPart(load, client)),
      initialData: () => part,
      staleTime: Infinity,
      gcTime: Infinity,
      structuralSharing: false,
    });
    if (data) return <data.default {...props} />;
    return (
      <>
        {title !== undefined && <PageTitle title={translate(title, { smart_count: 2 })} />}
        {error ? <Failure error={error} retry={refetch} /> : <Loading />}
      </>
    );
  };
}
