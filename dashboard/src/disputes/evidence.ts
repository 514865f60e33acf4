import type { paths } from '@tutoring/client/schema';
import { useText } from '../i18n/i18n.ts';
import { useRegion } from '../i18n/region.ts';
import { formatMoney } from '../shared/money/money.tsx';
import type { PayloadOf } from '../server/server.ts';
import { inUtc } from '../shared/time/time.tsx';
import type { EvidencePart } from './evidence-text.ts';

type Answer = paths['/api/admin/disputes/{id}/evidence']['get']['responses'][200]['content']['application/json'];
type Evidence = PayloadOf<Answer>;

/** Returns the function that writes the evidence in the reader's language. Times are in UTC, as for a foreign bank. */
export function useEvidenceParts() {
  const t = useText();
  const region = useRegion();
  return (evidence: Evidence): EvidencePart[] => {
    const { currency, calls, sign_ins: signIns } = evidence;
    const money = (amount: number) => formatMoney(amount, currency, region);
    const deposit: EvidencePart = {
      title: t('resources.disputes.evidence.deposit'),
      facts: [
        [t('resources.disputes.evidence.student'), evidence.student.name],
        [t('resources.disputes.evidence.depositNumber'), String(evidence.deposit_id)],
        [t('resources.disputes.evidence.disputed'), money(evidence.amount)],
        [t('resources.disputes.evidence.depositedAt'), inUtc(evidence.deposited_at)],
      ],
      heads: [],
      rows: [],
      ...(calls.length === 0 && { none: t('resources.disputes.evidence.noCalls') }),
    };
    const call = (of: Evidence['calls'][number], index: number): EvidencePart => ({
      title: t('resources.disputes.evidence.call', {
        number: index + 1,
        student: of.student.name,
        teacher: of.teacher.name,
      }),
      facts: [
        [t('resources.disputes.evidence.identifier'), of.identifier],
        [t('resources.disputes.evidence.startedAt'), inUtc(of.started_at)],
        [t('resources.disputes.evidence.endedAt'), inUtc(of.ended_at)],
        [t('resources.disputes.evidence.steps'), String(of.steps)],
        [t('resources.disputes.evidence.total'), money(of.amount)],
        [t('resources.disputes.evidence.fromDeposit'), money(of.from_deposit)],
      ],
      heads: [
        t('resources.disputes.evidence.step'),
        t('resources.disputes.evidence.amount'),
        t('resources.disputes.evidence.at'),
        t('resources.disputes.evidence.reference'),
      ],
      rows: [
        ...of.charges.map(({ step, amount, created_at: at, reference }) => [
          String(step),
          money(amount),
          inUtc(at),
          reference,
        ]),
        ...of.refunds.map(({ amount, created_at: at, reference }) => [
          t('resources.disputes.evidence.refund'),
          money(-amount),
          inUtc(at),
          reference,
        ]),
      ],
    });
    const access: EvidencePart = {
      title: t('resources.disputes.evidence.signIns'),
      facts: [],
      heads: [t('resources.disputes.evidence.at'), t('resources.disputes.evidence.network')],
      rows: signIns.map(({ at, network }) => [inUtc(at), network]),
      ...(signIns.length === 0 && { none: t('resources.disputes.evidence.noSignIns') }),
    };
    return [deposit, ...calls.map(call), access];
  };
}
