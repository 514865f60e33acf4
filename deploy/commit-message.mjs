// Checks conventional commits, from which `lerna version` makes versions and changelogs. Runs on any Node from 20.
//   git config core.hooksPath deploy/hooks               checks each new message
//   node deploy/commit-message.mjs --range main..HEAD    checks the messages of a branch
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const TYPES = ['feat', 'fix', 'perf', 'refactor', 'docs', 'test', 'build', 'ci', 'chore', 'style', 'revert'];
const HEADER = /^(?<type>[a-z]+)(\((?<scope>[a-z0-9-]+)\))?!?: (?<subject>.+)$/;
const MADE_BY_GIT = /^(Merge |Revert "|fixup! |squash! )/;
const LONGEST = 72;

/** The problems of a message; empty if it is correct. */
function problemsOf(message) {
  const [header = '', second = ''] = message
    .replaceAll(/^#.*\n?/gm, '')
    .trim()
    .split('\n');
  if (MADE_BY_GIT.test(header)) return [];
  const parts = HEADER.exec(header)?.groups;
  if (!parts) return ['must begin with type(scope): subject, as in "fix(wallet): release the hold of a missed call"'];
  const problems = [];
  if (!TYPES.includes(parts.type)) problems.push(`has the unknown type ${parts.type}: one of ${TYPES.join(', ')}`);
  if (parts.subject.endsWith('.')) problems.push('ends with a full stop');
  if (header.length > LONGEST) problems.push(`has a first line of ${header.length} characters, more than ${LONGEST}`);
  if (second !== '') problems.push('needs an empty line after the first one');
  return problems;
}

function messagesIn(range) {
  const log = execFileSync('git', ['log', '--no-merges', '--format=%B%x00', range], { encoding: 'utf8' });
  return log
    .split('\0')
    .map((message) => message.trim())
    .filter(Boolean);
}

const [first, range] = process.argv.slice(2);
if (!first || (first === '--range' && !range)) {
  console.error('usage: commit-message.mjs <file> | --range <revisions>');
  process.exit(2);
}
const messages = first === '--range' ? messagesIn(range) : [readFileSync(first, 'utf8')];
for (const message of messages) {
  for (const problem of problemsOf(message)) {
    console.error(`"${message.trim().split('\n')[0]}" ${problem}`);
    process.exitCode = 1;
  }
}
