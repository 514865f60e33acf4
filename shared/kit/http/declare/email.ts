import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { trimInvisible } from '../../language/typed-text.ts';

/** A dot-atom of RFC 5322, with the international characters of RFC 6532. */
const DOT_ATOM = /^[^\p{C}\p{Z}()<>[\]:;@\\,."]+(?:\.[^\p{C}\p{Z}()<>[\]:;@\\,."]+)*$/u;
/** A quoted string without angle brackets, which no mail library can pass to a server. */
const QUOTED = /^"(?:[^\p{C}"\\<>]|\\[^\p{C}<>])*"$/u;
/** Excludes characters by which a URL would contain more than a host. */
const HOST = /^[^\p{C}\p{Z}%/\\?#:@]+$/u;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const LITERAL = /^\[(IPv6:)?([\da-f.:]+)\]$/i;
const MAX_DOMAIN = 253;

function split(email: string): [local: string, domain: string] {
  const at = email.lastIndexOf('@');
  return [email.slice(0, Math.max(at, 0)), email.slice(at + 1)];
}

/** The domain in lower case and Punycode, as mail servers use it. Undefined when it is not a valid domain. */
function asciiDomain(domain: string): string | undefined {
  const [, isV6, address = ''] = LITERAL.exec(domain) ?? [];
  if (isV6 ? isIPv6(address) : isIPv4(address)) return domain.toLowerCase();
  if (!HOST.test(domain)) return undefined;
  // Only where it is needed, because domainToASCII reads a name that looks like a number as an IP address.
  const ascii = /^[\w.-]+$/.test(domain) && !/xn--/i.test(domain) ? domain.toLowerCase() : domainToASCII(domain);
  return ascii.length <= MAX_DOMAIN && ascii.split('.').every((label) => LABEL.test(label)) ? ascii : undefined;
}

/**
 * Whether the text is an e-mail address by Laravel's rule `email`: RFC 5322 with UTF-8 and international domains. A
 * domain without a dot, a quoted local part and an IP address in brackets are valid. Comments and line folding are not.
 */
export function isEmail(text: string): boolean {
  const [local, domain] = split(text);
  return (DOT_ATOM.test(local) || QUOTED.test(local)) && asciiDomain(domain) !== undefined;
}

/** `"awa"@x.test` is the same mailbox as `awa@x.test`. */
function unquoted(local: string): string {
  const content = local.slice(1, -1).replaceAll(/\\(.)/gu, '$1');
  return QUOTED.test(local) && DOT_ATOM.test(content) ? content : local;
}

/** The normalized form of an address, which is unique among accounts. */
export function emailKey(text: string): string {
  const [local, domain] = split(trimInvisible(text));
  const name = unquoted(local).toLowerCase().normalize('NFC');
  const host = asciiDomain(domain) ?? domain.normalize('NFC').toLowerCase();
  return text.includes('@') ? `${name}@${host}` : host;
}
