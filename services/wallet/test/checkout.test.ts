import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;

beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

async function opened(): Promise<{ student: number; id: number; path: string }> {
  const student = wallet.newUser();
  const { body } = await wallet.service.api.student(student).post('/api/deposits', { amount: 25000, method: '<b>&"' });
  return { student, id: body.id, path: new URL(body.checkout_url).pathname };
}

const get = (path: string) => wallet.service.api.anonymous.get(path);
const press = (path: string, action: string) =>
  wallet.service.api.anonymous.post(path, `action=${action}`, { 'content-type': 'application/x-www-form-urlencoded' });

describe('the checkout page', () => {
  test('needs neither scripts nor inline styles, and its Content-Security-Policy forbids them', async () => {
    const { path, id } = await opened();
    const page = await get(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(page.text).toContain('25,000 XOF');
    expect(page.text).toContain(`sandbox-${id}`);
    for (const action of ['pay', 'fail', 'cancel']) expect(page.text).toContain(`name="action" value="${action}"`);
    expect(page.text).not.toMatch(/<script|<style|style=|\son\w+=|https?:\/\//);
    const style = await get('/api/checkout/style.css');
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  });

  test.each([
    ['pay', 'success', 'Payment received', 25000],
    ['fail', 'failed', 'Payment failed', 0],
    ['cancel', 'canceled', 'Payment canceled', 0],
  ])(
    'after the button "%s" the provider sends a webhook and the page shows the result',
    async (action, status, title, balance) => {
      const { path, id, student } = await opened();
      const page = await press(path, action);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.text).toContain(`<h1>${title}</h1>`);
      expect(page.text).not.toContain('<form');
      expect((await wallet.service.api.admin().get(`/api/admin/deposits/${id}`)).body.status).toBe(status);
      expect((await wallet.balance(student)).balance).toBe(balance);
      expect(await wallet.service.rows('select type from webhook_event where deposit_id = $1', [id])).toHaveLength(1);
    },
  );

  test('credits a deposit once when it is paid several times at once', async () => {
    const { path, student } = await opened();
    await Promise.all([press(path, 'pay'), press(path, 'pay'), press(path, 'pay')]);
    expect((await wallet.balance(student)).balance).toBe(25000);
  });

  test('is opened only by its own link', async () => {
    const [one, other] = [await opened(), await opened()];
    const token = one.path.split('/').at(-1)!;
    const wrong = [
      `/api/checkout/${other.id}/${token}`,
      `/api/checkout/${one.id}/${token.slice(0, -1)}`,
      `/api/checkout/${one.id}/${token}x`,
      `/api/checkout/999999/${token}`,
      `/api/checkout/abc/${token}`,
    ];
    for (const path of wrong) {
      const page = await get(path);
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect((await press(path, 'pay')).status).toBe(404);
    }
    expect((await press(one.path, 'steal')).status).toBe(422);
  });

  test('is not opened by the link of a deposit that a restore lost and whose id was reused', async () => {
    const { id, path, student } = await opened();
    await wallet.service.rows('update deposit set payment_key = $2 where id = $1', [
      id,
      'of the deposit after the restore',
    ]);
    expect([(await get(path)).status, (await press(path, 'pay')).status]).toEqual([404, 404]);
    expect((await wallet.balance(student)).balance).toBe(0);
  });

  test('has a page of ours to which providers redirect after the payment', async () => {
    expect((await get('/api/checkout/returned')).text).toContain('<h1>Thank you</h1>');
  });
});
