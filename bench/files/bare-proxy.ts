/** A minimal proxy of Express and http-proxy-middleware: the baseline for uploads through the gateway. */
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

const { PORT, TARGET = '' } = process.env;
const app = express();
app.use(createProxyMiddleware({ target: TARGET, changeOrigin: true }));
app.listen(Number(PORT), '127.0.0.1');
