import { currentLanguage } from '@tutoring/shared/process/context';
import type { DepositRow } from '../deposits/deposit.ts';
import { texts } from '../texts.ts';

/** No script and no inline style, so that it works under the strictest Content-Security-Policy. */
export const CHECKOUT_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** `1,000 XOF`: an amount in the smallest unit, formatted for people. */
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

/** The page to which a provider sends people back. */
export function returnedPage(): string {
  return document(
    texts.checkout.returnedTitle,
    `<h1>${texts.checkout.returnedTitle}</h1>\n<p>${texts.checkout.returned}</p>`,
  );
}

/** The page for a wrong link. */
export function unknownPage(): string {
  return document(texts.checkoutUnknown, `<h1>${texts.checkoutUnknown}</h1>`);
}

export const CHECKOUT_STYLE = `:root { color-scheme: light dark; --ink: #14213d; --soft: #5c677d; --paper: #fff; --back: #eef1f6; --line: #dde3ec;
  --accent: #2457d6; --good: #1a7f4b; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef1f6; --soft: #a3adbd; --paper: #1b2333; --back: #10151f; --line: #2d384c; --accent: #3d6ae0;
    --good: #4cc38a; --bad: #ff8a80; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--back);
  color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 24rem; padding: 2rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: 1rem; box-shadow: 0 1rem 3rem rgb(20 33 61 / 12%); }
h1 { margin: .75rem 0 0; font-size: 1.125rem; font-weight: 600; color: var(--soft); }
.badge { display: inline-block; margin: 0; padding: .125rem .625rem; border-radius: 1rem; background: #fff3cd; color: #664d03;
  font-size: .8125rem; font-weight: 600; }
.amount { margin: .125rem 0 1.25rem; font-size: 2.25rem; line-height: 1.2; font-weight: 700; letter-spacing: -.02em;
  font-variant-numeric: tabular-nums; }
dl { margin: 0 0 1.5rem; border-top: 1px solid var(--line); }
dl div { display: flex; justify-content: space-between; gap: 1rem; padding: .625rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); } dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; text-align: right; }
button { width: 100%; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .625rem; background: transparent;
  color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
button:hover { border-color: var(--accent); } button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button.pay { border-color: transparent; background: var(--accent); color: #fff; } button.pay:hover { filter: brightness(1.08); }
.others { display: grid; grid-template-columns: 1fr 1fr; gap: .625rem; margin-top: .625rem; }
.end { padding: .75rem 1rem; border-radius: .625rem; border: 1px solid currentcolor; font-weight: 600; }
.success { color: var(--good); } .failed, .canceled { color: var(--bad); }
.note { margin: 1.25rem 0 0; color: var(--soft); font-size: .8125rem; }
`;
