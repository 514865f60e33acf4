import type { Pages } from '../shared/pages.ts';
import { CataloguePage } from '../shared/catalogue-page.tsx';

const Skills = () => <CataloguePage fields={[{ name: 'name' }]} />;

export default { list: Skills } satisfies Pages;
