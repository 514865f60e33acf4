import Typography from '@mui/material/Typography';
import { Time } from '../time/time.tsx';

/** What happened to a record, each with its time. */
export const Steps = ({ of }: { of: [label: string, at: string][] }) => (
  <ol style={{ margin: 0, paddingInlineStart: 20 }}>
    {of.map(([label, at], index) => (
      <li key={index}>
        <Typography component="span" variant="body2">
          {label}{' '}
        </Typography>
        <Typography component="span" variant="body2" color="textSecondary">
          <Time at={at} to="second" />
        </Typography>
      </li>
    ))}
  </ol>
);
