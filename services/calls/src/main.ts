import { main } from '@tutoring/shared/service';
import { calls } from './app.ts';

await main(calls, process.env, process.argv.slice(2));
