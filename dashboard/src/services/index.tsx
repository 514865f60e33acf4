import type { Pages } from '../shared/page/pages.ts';
import { CataloguePage, type CatalogueField } from '../shared/lists/catalogue-page.tsx';

const fields: CatalogueField[] = [
  { name: 'name' },
  { name: 'iterator', isNumber: true },
  { name: 'base_cost', isNumber: true, isMoney: true },
  { name: 'iterator_cost', isNumber: true, isMoney: true },
];

const Services = () => <CataloguePage fields={fields} />;

export default { list: Services } satisfies Pages;
