// Plain JavaScript, so that jest imports it (and what it imports) natively instead of transforming it.
export { startTestServers as default } from './servers.ts';
