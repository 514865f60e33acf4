import { createContext, useContext, useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react';
import { useLogoutIfAccessDenied, useTranslate } from 'ra-core';
import { Refusal } from '../../server/server.ts';
import { intentionOf, splitErrors, readFields, type Fields, type Intention, type Read } from './reading.ts';

export type { Fields } from './reading.ts';

export interface Submission {
  isRunning: boolean;
  /** The error of the form as a whole, and those of fields that the form does not show. */
  refusal: string | undefined;
  /** The errors of the shown fields. */
  errors: Fields;
  /** The shown fields with their readers. */
  shown: Map<string, Read | undefined>;
}
type State = Omit<Submission, 'shown'>;

const IDLE: State = { isRunning: false, refusal: undefined, errors: {} };

const SubmissionContext = createContext<Submission>({ ...IDLE, shown: new Map() });
export const SubmissionProvider = SubmissionContext.Provider;
/** The state of the form around a field. */
export const useSubmissionState = () => useContext(SubmissionContext);

/** Registers a field with the form: it shows its own errors, and `read` converts its text. */
export function useShownField({ shown }: Pick<Submission, 'shown'>, name: string, read?: Read): void {
  const readNow = useEffectEvent((text: string) => read?.(text) ?? { value: text });
  useEffect(() => {
    shown.set(name, (text) => readNow(text));
    return () => void shown.delete(name);
  }, [shown, name]);
}

/** The form's texts, and the value of the button that submits it if the button has a name. */
const textsOf = (form: HTMLFormElement, submitter: HTMLElement | null): Fields =>
  Object.fromEntries(
    [...new FormData(form, submitter)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );

const submitterOf = ({ nativeEvent }: FormEvent) => (nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null);

interface Content {
  /** Content besides the fields. A change of it needs a new idempotency key. */
  also?: unknown;
  /** Where to store the intention. In a draft it survives a reload. */
  kept?: { current: Intention | undefined };
}

/**
 * The state of a form. While `run` is in progress and until its result is shown, further submits are ignored. `run`
 * gets the values to send and an `Idempotency-Key`: the same key for retries of the same content until the server
 * accepts it, a new key for changed content. Never throws: errors are in the state.
 */
export function useSubmission(run: (fields: Fields, key: string) => Promise<unknown>, { also, kept }: Content = {}) {
  const [state, setState] = useState(IDLE);
  const [shown] = useState(() => new Map<string, Read | undefined>());
  const isSending = useRef(false);
  const ownIntention = useRef<Intention>(undefined);
  const intention = kept ?? ownIntention;
  const translate = useTranslate();
  const logoutIfAccessDenied = useLogoutIfAccessDenied();
  // Until the result is rendered, the fields still hold what was sent: another Enter would send it again.
  useEffect(() => {
    isSending.current = state.isRunning;
  }, [state]);

  const refusedWith = (error: unknown): State => {
    const sentence = error instanceof Error ? translate(error.message) : String(error);
    const { errors: all = {} } = error instanceof Refusal ? error.body : {};
    const { errors, rest } = splitErrors(all, shown);
    return { isRunning: false, errors, refusal: Object.keys(errors).length > 0 ? rest : (rest ?? sentence) };
  };

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isSending.current) return;
    const { fields, errors } = readFields(textsOf(event.currentTarget, submitterOf(event)), shown);
    if (Object.keys(errors).length > 0) return setState({ ...IDLE, errors });
    isSending.current = true;
    const { key } = (intention.current = intentionOf(intention.current, fields, also, () => crypto.randomUUID()));
    setState({ ...IDLE, isRunning: true });
    try {
      await run(fields, key);
      intention.current = undefined;
      setState(IDLE);
    } catch (error) {
      setState(refusedWith(error));
      await logoutIfAccessDenied(error);
    }
  }
  /** The next submit gets a new idempotency key. */
  function reset(): void {
    intention.current = undefined;
    setState(IDLE);
  }
  return { ...state, shown, submit: (event: FormEvent<HTMLFormElement>) => void submit(event), reset };
}
