import { createContext, useContext, useRef, useState, type FormEvent } from 'react';
import { useLogoutIfAccessDenied, useTranslate } from 'ra-core';
import { Refusal } from '../../server/server.ts';

/** The texts of a form's fields by their names. */
export type Fields = Record<string, string>;

export interface Submission {
  isRunning: boolean;
  /** What the server said about the form as a whole. */
  refusal: string | undefined;
  /** What it said about each field. */
  errors: Fields;
}

const IDLE: Submission = { isRunning: false, refusal: undefined, errors: {} };

const SubmissionContext = createContext<Submission>(IDLE);
export const SubmissionProvider = SubmissionContext.Provider;
/** The state of the form around a field. */
export const useSubmissionState = () => useContext(SubmissionContext);

const fieldsOf = (form: HTMLFormElement): Fields =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']));

/**
 * A form that is sent once however often it is submitted meanwhile. `run` gets the fields and the `Idempotency-Key` of
 * this intention: the same one until the server has accepted it. Throws nothing: what went wrong is in the state.
 */
export function useSubmission(run: (fields: Fields, key: string) => Promise<unknown>) {
  const [state, setState] = useState(IDLE);
  const isSending = useRef(false);
  const key = useRef<string>(undefined);
  const translate = useTranslate();
  const logoutIfAccessDenied = useLogoutIfAccessDenied();

  const refusedWith = (error: unknown): Submission => {
    const { errors = {} } = error instanceof Refusal ? error.body : {};
    const sentence = error instanceof Error ? translate(error.message) : String(error);
    return { isRunning: false, errors, refusal: Object.keys(errors).length > 0 ? undefined : sentence };
  };

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isSending.current) return;
    isSending.current = true;
    const fields = fieldsOf(event.currentTarget);
    key.current ??= crypto.randomUUID();
    setState({ ...IDLE, isRunning: true });
    try {
      await run(fields, key.current);
      key.current = undefined;
      setState(IDLE);
    } catch (error) {
      setState(refusedWith(error));
      await logoutIfAccessDenied(error);
    } finally {
      isSending.current = false;
    }
  }
  /** What is submitted next is another intention. */
  function reset(): void {
    key.current = undefined;
    setState(IDLE);
  }
  return { ...state, submit: (event: FormEvent<HTMLFormElement>) => void submit(event), reset };
}
