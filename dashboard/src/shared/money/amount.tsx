import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { amountInWords } from './amount-in-words.ts';
import { Money } from './money.tsx';
import { useRegion } from '../../i18n/region.ts';

/** An amount that is decided about: large, and in words that cannot be misread. */
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
