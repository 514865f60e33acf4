import express from 'express';
import pg from 'pg';

/** A service that answers with the rows of one indexed SELECT: the baseline for the free slots. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const app = express();
app.get('/readyz', (_req, res) => void res.json({ status: 'ready' }));
app.get('/api/teachers/:id/slots', async (req, res) => {
  const { from, to } = req.query;
  const { rows } = await pool.query(
    `select starts_at, ends_at from booking where teacher_id = $1 and starts_at >= $2 and starts_at < $3::date + 1
     order by starts_at`,
    [req.params.id, from, to],
  );
  res.json(rows);
});
const server = app.listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => {
  server.closeAllConnections();
  process.exit(0);
});
