import type { Pages } from '../areas.tsx';
import { Inbox } from './inbox.tsx';

export default { list: Inbox } satisfies Pages;
