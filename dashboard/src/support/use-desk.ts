import { useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { SEARCH } from './case-filters.tsx';
import { useCases } from './case-queries.ts';
import { shownCases, toShow, waitingFrom, type Case, type Choice } from './case.ts';
import type { Mode } from './composer.tsx';
import { useShortcuts } from './keys.tsx';

/** The case's id or the room's uuid in a path `/support/{id or uuid}`, with or without `/show`. */
function addressIn(pathname: string): { id?: number; room?: string } {
  const segment = pathname.split('/')[2];
  if (segment === undefined || segment === '') return {};
  return /^\d+$/.test(segment) ? { id: Number(segment) } : { room: segment };
}

/** What the list shows, from the address. */
function useChoice() {
  const [search, setSearch] = useSearchParams();
  const choice: Choice = {
    show: toShow(search.get('show')),
    q: search.get('q') ?? '',
    label: search.get('label') ?? '',
  };
  const choose = ({ show, q, label }: Choice) =>
    setSearch(
      { ...(show !== 'open' && { show }), ...(label !== '' && { label }), ...(q !== '' && { q }) },
      { replace: true },
    );
  return { choice, choose, search: search.size > 0 ? `?${search}` : '' };
}

/** The list of cases, the open one, and the keys. */
export function useDesk(me: number | undefined) {
  const navigate = useNavigate();
  const address = addressIn(useLocation().pathname);
  const { choice, choose, search } = useChoice();
  const [mode, setMode] = useState<Mode>('reply');
  const [frozen, setFrozen] = useState<ReadonlyMap<number, number>>(new Map());
  const [isKeysShown, setKeysShown] = useState(false);
  const query = useCases(choice);
  const cases = shownCases(query.cases ?? [], choice, { me, openId: address.id, frozen });
  const isOpen = address.id !== undefined || address.room !== undefined;

  const open = (chosen: Case) => {
    setFrozen(new Map([[chosen.id, waitingFrom(chosen)] as const, ...frozen]));
    setMode('reply');
    void navigate(`/support/${chosen.id}${search}`);
  };
  const close = () => {
    if (!isOpen) return;
    setFrozen(new Map());
    void navigate(`/support${search}`);
  };
  const go = (steps: number) => {
    const here = cases.findIndex(({ id }) => id === address.id);
    const next = cases[here === -1 ? 0 : here + steps];
    if (next) open(next);
  };
  const [next, previous] = [() => go(1), () => go(-1)];
  const keys = {
    j: next,
    k: previous,
    '?': () => setKeysShown(true),
    ...(!isOpen && { '/': () => document.getElementById(SEARCH)?.focus() }),
  };
  useShortcuts(keys, { 'alt+arrowdown': next, 'alt+arrowup': previous, escape: close });
  return {
    address,
    choice,
    choose,
    query,
    cases,
    open,
    close,
    mode,
    setMode,
    isKeysShown,
    setKeysShown,
  };
}
