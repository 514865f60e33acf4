import { useEffect, type ComponentType } from 'react';
import { Resource, useResourceDefinitionContext, type ResourceDefinition, type ResourceProps } from 'ra-core';
import { areas, type Area } from '../areas.tsx';
import { fetched } from '../shared/page/fetched.tsx';
import type { Pages } from '../shared/page/pages.ts';

/** The area's pages, and what react-admin has to know of them: which views there are. */
function pagesOf({ name, load }: Area): ComponentType {
  const loadPages = async () => {
    const { default: pages } = await load();
    return { default: () => <Loaded name={name} pages={pages} /> };
  };
  return fetched(name, loadPages, `resources.${name}.name`);
}

function Loaded({ name, pages }: { name: string; pages: Pages }) {
  const { register } = useResourceDefinitionContext();
  useEffect(() => register(Resource.registerResource({ name, ...pages })), [register, name, pages]);
  return <Resource name={name} {...pages} />;
}

const fetchedPages = new Map(areas.map((area): [string, ComponentType] => [area.name, pagesOf(area)]));

/** A `<Resource>` whose code is fetched when it is first visited. */
export function AreaResource({ name }: ResourceProps) {
  const FetchedPages = fetchedPages.get(name);
  return FetchedPages && <FetchedPages />;
}
AreaResource.raName = 'Resource';
AreaResource.registerResource = ({ name }: ResourceProps): ResourceDefinition => ({ name, hasList: true });
