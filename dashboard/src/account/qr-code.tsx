import Box from '@mui/material/Box';
import { encode } from 'uqr';

/** A QR code drawn in the browser, so that its content is sent nowhere. Black on white in both themes. */
export function QrCode({ content, label }: { content: string; label: string }) {
  const { size, data } = encode(content, { ecc: 'M', border: 4 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      sx={{ width: 220, display: 'block', borderRadius: 1, shapeRendering: 'crispEdges' }}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join('')} fill="#000" />
    </Box>
  );
}
