import { main } from '@tutoring/shared/kit/service';
import { wallet } from './app.ts';

await main(wallet, process.env, process.argv.slice(2));
