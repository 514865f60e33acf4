export { stopTestServers as default } from './servers.ts';
