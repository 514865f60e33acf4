import { useEffect, type ComponentType } from 'react';
import { Resource, useResourceDefinitionContext, type ResourceDefinition, type ResourceProps } from 'ra-core';
import { areas, type Area } from '../areas.tsx';
import { lazyComponent } from '../shared/page/lazy-component.tsx';
import type { Pages } from '../shared/page/pages.ts';
import { AccessDenied } from './no-page.tsx';
import { useAreas } from './permitted.ts';

/** The component that loads an area's code, then registers its views with react-admin and renders them. */
function pagesOf({ name, load }: Area): ComponentType {
  const loadPages = async () => {
    const { default: pages } = await load();
    return { default: () => <Loaded name={name} pages={pages} /> };
  };
  return lazyComponent(name, loadPages, `resources.${name}.name`);
}

function Loaded({ name, pages }: { name: string; pages: Pages }) {
  const { register } = useResourceDefinitionContext();
  useEffect(() => register(Resource.registerResource({ name, ...pages })), [register, name, pages]);
  return <Resource name={name} {...pages} />;
}

const fetchedPages = new Map(areas.map((area): [string, ComponentType] => [area.name, pagesOf(area)]));

/** A `<Resource>` whose code is loaded on the first visit, if the administrator may see it. */
export function AreaResource({ name }: ResourceProps) {
  const FetchedPages = fetchedPages.get(name);
  if (!useAreas().some((area) => area.name === name)) return <AccessDenied />;
  return FetchedPages && <FetchedPages />;
}
AreaResource.raName = 'Resource';
AreaResource.registerResource = ({ name }: ResourceProps): ResourceDefinition => ({ name, hasList: true });
