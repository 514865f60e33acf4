import { main } from '@tutoring/shared/kit/service';
import { calls } from './app.ts';

await main(calls, process.env, process.argv.slice(2));
