import type { Pages } from '../areas.tsx';
import { CataloguePage } from '../shared/catalogue-page.tsx';

const Skills = () => <CataloguePage fields={[{ name: 'name' }]} />;

export default { list: Skills } satisfies Pages;
