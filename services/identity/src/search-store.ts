import { containsCondition, type AddParameter } from '@tutoring/shared/kit/database/search';
import { requiredRow, type Reader } from '@tutoring/shared/kit/database/sql';

/** Searchable SQL expressions of a table `t`: a normalised text, and the digits of a phone number. */
interface SearchColumns {
  table: string;
  text: string;
  phone?: string;
}

const NORMALISE_INPUT = 'select normalised($1) as normalised, phone_digits($1) as digits';

/** SQL: the row contains the searched text or number, has it as its id, or fulfils one of the conditions of `more`. */
export async function searchCondition(
  reader: Reader,
  { filter_value: given }: { filter_value?: string | undefined },
  value: AddParameter,
  { table, text, phone }: SearchColumns,
  more: (normalised: string) => Promise<string[]> = () => Promise.resolve([]),
): Promise<string[]> {
  if (given === undefined) return [];
  const { normalised, digits } = await requiredRow<{ normalised: string; digits: string | null }>(
    reader,
    NORMALISE_INPUT,
    [given],
  );
  const found = [
    ...(normalised ? [await containsCondition(reader, { table, as: 't', text }, normalised, value)] : []),
    ...(phone && digits ? [await containsCondition(reader, { table, as: 't', text: phone }, digits, value)] : []),
    ...(normalised ? await more(normalised) : []),
    ...(/^\d{1,15}$/.test(given) ? [`t.id = ${value(given)}`] : []),
  ];
  return [`(${found.join(' or ') || 'false'})`];
}
