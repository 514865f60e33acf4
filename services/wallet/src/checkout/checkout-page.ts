import { readFileSync } from 'node:fs';
import { currentLanguage } from '@tutoring/shared/kit/process/context';
import type { DepositRow } from '../deposits/deposit.ts';
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

/** Formats an amount in the smallest unit for display, as `1,000 XOF`. */
export function readableAmount(amount: number, currency: string, language = currentLanguage()): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'code' });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 0;
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: digits }).format(amount / 10 ** digits);
  return `${number}${language === 'fr' ? '\u00a0' : ' '}${currency}`;
}

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

/** The sandbox provider's page for one deposit: the payment form, or the result. */
export function checkoutPage(deposit: DepositRow): string {
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
<p class="note">${texts.checkout.note}</p>`;
  return document(`${open ? texts.checkout.title : ended.title} - ${amount}`, main);
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
