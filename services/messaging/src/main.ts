import { main } from '@tutoring/shared/kit/service';
import { messaging } from './app.ts';

await main(messaging, process.env, process.argv.slice(2));
