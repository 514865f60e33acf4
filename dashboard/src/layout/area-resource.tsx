import { lazy, Suspense, useEffect, type ComponentType } from 'react';
import { Resource, useResourceDefinitionContext, type ResourceDefinition, type ResourceProps } from 'ra-core';
import { areas, type Area } from '../areas.tsx';
import type { Pages } from '../shared/pages.ts';
import { Loading } from '../shared/states.tsx';

/** The area's pages, and what react-admin has to know of them: which views there are. */
function pagesOf({ name, load }: Area): ComponentType {
  return lazy(async () => {
    const { default: pages } = await load();
    return { default: () => <Loaded name={name} pages={pages} /> };
  });
}

function Loaded({ name, pages }: { name: string; pages: Pages }) {
  const { register } = useResourceDefinitionContext();
  useEffect(() => register(Resource.registerResource({ name, ...pages })), [register, name, pages]);
  return <Resource name={name} {...pages} />;
}

const lazyPages = new Map(areas.map((area): [string, ComponentType] => [area.name, pagesOf(area)]));

/** A `<Resource>` whose code is fetched when it is first visited. */
export function AreaResource({ name }: ResourceProps) {
  const LazyPages = lazyPages.get(name);
  return <Suspense fallback={<Loading />}>{LazyPages && <LazyPages />}</Suspense>;
}
AreaResource.raName = 'Resource';
AreaResource.registerResource = ({ name }: ResourceProps): ResourceDefinition => ({ name, hasList: true });
