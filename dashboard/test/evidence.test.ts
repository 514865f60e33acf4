import { expect, test } from '@jest/globals';
import { evidenceText } from '../src/disputes/evidence-text.ts';

test('evidence is copied as plain text with a line for each fact and row', () => {
  const parts = [
    { title: 'Deposit', facts: [['Amount', 'F CFA 5']] as [string, string][], heads: [], rows: [] },
    { title: 'Sign-ins', facts: [], heads: ['Time', 'Network'], rows: [['now', '192.0.2.0/24']] },
    { title: 'Calls', facts: [], heads: ['Step'], rows: [], none: 'None.' },
  ];
  expect(evidenceText('Evidence', parts)).toBe(
    'Evidence\n\nDeposit\nAmount: F CFA 5\n\nSign-ins\nTime | Network\nnow | 192.0.2.0/24\n\nCalls\nNone.',
  );
});
