import type { Pages } from '../shared/page/pages.ts';
import { CataloguePage } from '../shared/lists/catalogue-page.tsx';

const Skills = () => <CataloguePage fields={[{ name: 'name' }]} />;

export default { list: Skills } satisfies Pages;
