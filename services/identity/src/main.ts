import { main } from '@tutoring/shared/kit/service';
import { identity } from './app.ts';

await main(identity, process.env, process.argv.slice(2));
