import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { useTranslate } from 'ra-core';
import { RELEASE } from '../../server/release.ts';
import { Refusal } from '../../server/server.ts';
import { hasUnsaved } from '../forms/unsaved.ts';
import { PageTitle } from './page-title.tsx';
import { reload } from './reload.ts';
import { Failure, Loading } from './states.tsx';

type Module<Props> = { default: ComponentType<Props> };
type Load<Props> = () => Promise<Module<Props>>;

/**
 * The query that loads a component's code, once. It fails with a Refusal: without a connection, after a new release has
 * removed the file, or for any other reason. Many browsers cache a failed import until the page is reloaded. So if it
 * fails again while the server can be reached, this reloads the page, unless something is unsaved.
 */
export function codeQuery<Props extends object>(name: string, load: Load<Props>) {
  // Cached: a refresh fetches every query again, and a new component would lose its state.
  let code: Module<Props> | undefined;
  let hasFailed = false;
  async function fetchCode(queries: QueryClient): Promise<Module<Props>> {
    try {
      return await load();
    } catch {
      const isRepeated = hasFailed;
      hasFailed = true;
      const release = await queries.fetchQuery(RELEASE);
      if (release !== null) throw new Refusal('release.there', 0);
      if (!isRepeated || hasUnsaved()) throw new Refusal('states.failed', 0);
      reload();
      return new Promise(() => {});
    }
  }
  return queryOptions({
    queryKey: ['code', name],
    queryFn: async ({ client }) => (code ??= await fetchCode(client)),
    initialData: () => code,
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
  });
}

/**
 * A component whose code is loaded when it is first shown. A failure is shown with a retry button, and is retried when
 * the browser is online again. `name` identifies the code; `title` is the text key of the page title while loading.
 */
export function lazyComponent<Props extends object>(name: string, load: Load<Props>, title?: string) {
  const query = codeQuery(name, load);
  return function LazyComponent(props: Props) {
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
