import { readFileSync } from 'node:fs';
import { readableAmount } from '@tutoring/shared/kit/language/money';
import { currentLanguage } from '@tutoring/shared/kit/process/context';
import type { DepositRow } from '../deposits/deposit.ts';
import { CLAIM_ACTIONS } from '../providers/provider.ts';
import { texts } from '../texts.ts';

/** The pages have no script and no inline style, so the policy can forbid both. */
export const CHECKOUT_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

function document(title: string, main: string): string {
  return `<!doctype html>
<html lang="${currentLanguage()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(title)}</title>
<link rel="stylesheet" href="/api/checkout/style.css">
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
}

const buttons = () => `<form method="post">
<button class="pay" name="action" value="pay">${texts.checkout.pay}</button>
<div class="others">
<button name="action" value="fail">${texts.checkout.fail}</button>
<button name="action" value="cancel">${texts.checkout.cancel}</button>
</div>
</form>`;

/** The sandbox provider's page for one deposit: the payment form, or the result with a link to the claims page. */
export function checkoutPage(deposit: DepositRow, path = ''): string {
  const open = deposit.status === 'initiated' || deposit.status === 'pending';
  const amount = readableAmount(deposit.amount, deposit.currency);
  const ended = texts.checkout.ended[deposit.status];
  const main = `<p class="badge">${texts.checkout.badge}</p>
<h1>${open ? texts.checkout.title : ended.title}</h1>
<p class="amount">${escape(amount)}</p>
<dl>
<div><dt>${texts.checkout.reference}</dt><dd>${escape(deposit.ref ?? String(deposit.id))}</dd></div>
<div><dt>${texts.checkout.status}</dt><dd><span class="status ${deposit.status}">${texts.checkout.statuses[deposit.status]}</span></dd></div>
</dl>
${open ? buttons() : `<p class="end ${deposit.status}" role="status">${ended.text}</p>`}
<p class="note">${texts.checkout.note}</p>
${deposit.status === 'success' ? `<p class="note"><a href="${escape(path)}/claims">${texts.checkout.claims}</a></p>` : ''}`;
  return document(`${open ? texts.checkout.title : ended.title} - ${amount}`, main);
}

/** The sandbox provider's page on which an operator tries disputes and refunds of a paid deposit. */
export function claimsPage(deposit: DepositRow): string {
  const amount = readableAmount(deposit.amount, deposit.currency);
  const actions = CLAIM_ACTIONS.map(
    (action) => `<button name="action" value="${action}">${texts.checkout[action]}</button>`,
  );
  return document(
    texts.checkout.claimsTitle,
    `<p class="badge">${texts.checkout.badge}</p>
<h1>${texts.checkout.claimsTitle}</h1>
<p class="amount">${escape(amount)}</p>
<form method="post">
<div class="others">
${actions.join('\n')}
</div>
</form>
<p class="note">${texts.checkout.note}</p>`,
  );
}

/** The page to which a provider redirects after the payment. */
export function returnedPage(): string {
  return document(
    texts.checkout.returnedTitle,
    `<h1>${texts.checkout.returnedTitle}</h1>\n<p>${texts.checkout.returned}</p>`,
  );
}

/** The page for an invalid link. */
export function unknownPage(): string {
  return document(texts.checkoutUnknown, `<h1>${texts.checkoutUnknown}</h1>`);
}

/** The style sheet of all payment pages. */
export const CHECKOUT_STYLE = readFileSync(new URL('../../checkout.css', import.meta.url), 'utf8');
