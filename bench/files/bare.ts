/** A minimal upload server of Express and busboy that writes each upload to a file: the baseline for uploads. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import express from 'express';

const { PORT, FOLDER = '' } = process.env;
let number = 0;
const app = express();
app.get('/readyz', (_req, res) => void res.json({ status: 'ready' }));
app.post('/api/rooms/:uuid/files', (req, res) => {
  const form = busboy({ headers: req.headers });
  const written: Promise<void>[] = [];
  form.on('file', (_field, bytes) =>
    written.push(pipeline(bytes, createWriteStream(join(FOLDER, String((number += 1)))))),
  );
  form.on('close', () => void Promise.all(written).then(() => res.json({ files: written.length })));
  req.pipe(form);
});
app.listen(Number(PORT), '127.0.0.1');
