import express from 'express';
import pg from 'pg';

/** A service that inserts one row and answers with it: the baseline for the real service. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const app = express();
app.get('/readyz', (_req, res) => void res.json({ status: 'ready' }));
app.post('/api/rooms/:uuid/messages', express.json(), async (req, res) => {
  const { message } = req.body as { message: string };
  const { rows } = await pool.query(
    'insert into bare_message (room_uuid, message) values ($1, $2) returning id, created_at',
    [req.params.uuid, message],
  );
  res.json(rows[0]);
});
const server = app.listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => {
  server.closeAllConnections();
  process.exit(0);
});
