import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { amountInWords } from './amount-in-words.ts';
import { Money } from './money.tsx';
import { useRegion } from '../../i18n/region.ts';

/** The amount of a decision: in large print, and spelt out so that it cannot be misread. */
export function Amount({ amount, currency }: { amount: number; currency: string }) {
  const region = useRegion();
  return (
    <Box sx={{ marginY: 2 }}>
      <Typography variant="h5" component="p">
        <Money amount={amount} currency={currency} />
      </Typography>
      <Typography color="textSecondary">{amountInWords(amount, currency, region)}</Typography>
    </Box>
  );
}
