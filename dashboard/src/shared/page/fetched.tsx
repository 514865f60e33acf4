import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { useTranslate } from 'ra-core';
import { RELEASE } from '../../server/release.ts';
import { Refusal } from '../../server/server.ts';
import { hasUnsaved } from '../forms/unsaved.ts';
import { PageTitle } from './page-title.tsx';
import { Failure, Loading } from './states.tsx';

type Part<Props> = { default: ComponentType<Props> };
type Load<Props> = () => Promise<Part<Props>>;

/**
 * The query that fetches a part once. It fails with a Refusal: without a connection, when a release has taken the file
 * away, or when it failed for now. To many browsers a file that has failed once stays failed until the page is loaded
 * anew: that is done when it fails again although the server can be reached, unless something is half written.
 */
export function partQuery<Props extends object>(name: string, load: Load<Props>) {
  // Once: refreshing a page asks for everything again, and another component would begin anew.
  let part: Part<Props> | undefined;
  let hasFailed = false;
  async function fetchPart(queries: QueryClient): Promise<Part<Props>> {
    try {
      return await load();
    } catch {
      const isRepeated = hasFailed;
      hasFailed = true;
      const release = await queries.fetchQuery(RELEASE);
      if (release !== null) throw new Refusal('release.there', 0);
      if (!isRepeated || hasUnsaved()) throw new Refusal('states.failed', 0);
      window.location.reload();
      return new Promise(() => {});
    }
  }
  return queryOptions({
    queryKey: ['code', name],
    queryFn: async ({ client }) => (part ??= await fetchPart(client)),
    initialData: () => part,
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
  });
}

/**
 * A component whose code is fetched when it is first shown. What has failed can be tried again, which the browser does by
 * itself when it is online again. `name` is that of the code; `title` names the sentence over the page until it is there.
 */
export function fetched<Props extends object>(name: string, load: Load<Props>, title?: string) {
  const query = partQuery(name, load);
  return function Fetched(props: Props) {
    const translate = useTranslate();
    const { data, error, refetch } = useQuery(query);
    if (data) return <data.default {...props} />;
    return (
      <>
        {title !== undefined && <PageTitle title={translate(title, { smart_count: 2 })} />}
        {error ? <Failure error={error} retry={refetch} /> : <Loading />}
      </>
    );
  };
}
