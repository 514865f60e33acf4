import type { Pages } from '../shared/page/pages.ts';
import { CataloguePage, type CatalogueField } from '../shared/lists/catalogue-page.tsx';

const fields: CatalogueField[] = [
  { name: 'name' },
  { name: 'points', isNumber: true },
  { name: 'image_cost', isNumber: true },
];

const Plans = () => <CataloguePage fields={fields} />;

export default { list: Plans } satisfies Pages;
