import type { Pages } from '../shared/page/pages.ts';
import { Inbox } from './inbox.tsx';

export default { list: Inbox } satisfies Pages;
