import { format } from 'prettier';
import { RIGHTS, ROLE_NAMES, ROLES, type Right } from '@tutoring/shared/contract/rights';

const TITLE = '## Who may do what\n';

const INTRODUCTION = `An administrator of the level \`su\` may do everything. One of the level \`default\` has one or more roles, and may do what any of them allows. \`npm run docs\` generates these tables from \`shared/contract/rights.ts\`: do not edit them. Each administrators' route of the API reference names the right that it needs (\`x-right\`), each field of contact data is marked (\`x-contact\`).`;

const REST = `Every administrator reads the settings, the list of administrators and the own account. Only \`su\` invites and changes administrators, changes settings and the catalogue, reads the audit log, decides on deposits, refunds calls and takes a withdrawal out of \`success\`. Without \`contacts\` contact data is masked (\`a…@e….com\`, \`•••• 33\`) and not searched. With \`approve\` and without \`payout\` an administrator can only confirm a payout that another one has claimed, approve batches of payouts that another one has made, and settle single payouts of a batch.

Super administrators change roles in the dashboard (Administrators) or with \`admin roles <email> <role>...\`, and invite administrators there or with \`admin invite <email> <role>...\`: the invited person gets a link by mail, which is valid for 72 hours and works once, and sets a password. A change of roles takes effect within a second, in open streams and running downloads and uploads too, and ends no session. Administrators from before the roles have the role \`all\`. While replicas of a release without roles run, they let every administrator of the level \`default\` do everything that \`all\` allows: give other roles only when the rollout is complete.`;

const table = (header: string[], rows: string[][]) =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The section of docs/operations.md about rights and roles. */
function section(): string {
  const has = (right: string) =>
    ROLE_NAMES.map((role) => ((ROLES[role] as readonly Right[]).includes(right as Right) ? '✓' : ''));
  const rows = Object.entries(RIGHTS).map(([right, opens]) => [`\`${right}\``, opens, ...has(right)]);
  return [TITLE, INTRODUCTION, table(['Right', 'Opens', ...ROLE_NAMES.map((role) => `\`${role}\``)], rows), REST].join(
    '\n\n',
  );
}

/** The text of docs/operations.md with this section made anew, formatted. */
export async function withRightsSection(page: string): Promise<string> {
  const begin = page.indexOf(TITLE);
  if (begin === -1) throw new Error(`docs/operations.md has no heading "${TITLE.trim()}"`);
  const next = page.indexOf('\n## ', begin);
  const rest = next === -1 ? '' : page.slice(next);
  return format(`${page.slice(0, begin)}${section()}\n${rest}`, {
    parser: 'markdown',
    singleQuote: true,
    printWidth: 120,
  });
}
