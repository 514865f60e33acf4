import { useState, type ReactNode } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { readNumber, writeNumber } from '../../i18n/number.ts';
import { useRegion, useRegions } from '../../i18n/region.ts';
import { Field, type FieldProps } from './field.tsx';
import type { Reading } from './reading.ts';

interface NumberFieldProps extends Omit<FieldProps, 'value' | 'defaultValue' | 'onChange' | 'read' | 'slotProps'> {
  /** The initial value, in units of the last decimal. */
  initial?: number | undefined;
  /** The number of decimals. Default: 0, whole numbers only. */
  fractionDigits?: number;
  /** Renders the value that was read, in units of the last decimal. */
  repeat?: (value: number) => ReactNode;
}

const EXAMPLE = 1_500;

/**
 * A field for a number in the format of the administrator's region. The form sends it as ASCII digits, in units of the
 * last decimal. Any other text is an error of the field.
 */
export function NumberField({ initial, fractionDigits = 0, repeat, ...props }: NumberFieldProps) {
  const t = useText();
  const region = useRegion();
  const regions = useRegions();
  const [text, setText] = useState(initial === undefined ? '' : writeNumber(initial, region, fractionDigits));
  const read = (typed: string): Reading => {
    const value = readNumber(typed, regions, fractionDigits);
    if (value !== undefined) return { value: String(value) };
    const example = new Intl.NumberFormat(region, { minimumFractionDigits: fractionDigits }).format(EXAMPLE);
    return { error: t(fractionDigits === 0 ? 'numbers.whole' : 'numbers.decimal', { example }) };
  };
  const value = readNumber(text, regions, fractionDigits);
  return (
    <>
      <Field
        {...props}
        read={read}
        value={text}
        onChange={({ target }) => setText(target.value)}
        autoComplete="off"
        slotProps={{
          htmlInput: { inputMode: fractionDigits === 0 ? 'numeric' : 'decimal' },
          inputLabel: { required: false },
        }}
      />
      {value !== undefined && repeat?.(value)}
    </>
  );
}
