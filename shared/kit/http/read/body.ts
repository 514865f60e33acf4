import express, { type Request, type RequestHandler } from 'express';
import { AppError } from '../../errors.ts';
import { texts } from '../../language/texts.ts';
import { isEmptyBody } from './json-reader.ts';

export const unsupportedCharset = () => new AppError('unsupported_media_type', texts.body.charset);

const anyType = { limit: '1mb', type: () => true };
const parseForm = express.urlencoded({ ...anyType, extended: true });
const parseRaw = express.raw(anyType);

const unknownMedia = () => new AppError('unsupported_media_type', texts.body.mediaType);

/** A body without a media type, or a short one of an unknown type, is accepted if it is empty. */
const mayBeEmpty = ({ headers }: Request) =>
  headers['content-type'] === undefined || Number(headers['content-length'] ?? Infinity) <= SHORT_BYTES;
const isEmpty = ({ body }: { body?: unknown }) => !Buffer.isBuffer(body) || isEmptyBody(body.toString());

const hasBody = (req: Request) =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

const SHORT_BYTES = 64;
const PLAIN_JSON = /^application\/json\s*(;|$)/i;
const FORM = 'application/x-www-form-urlencoded';
const CHARSET = /;\s*charset\s*=\s*"?([^";]*?)"?\s*(?=;|$)/i;
const UTF8 = /^(?:utf[-_ ]?8)?$/i;
const isUtf8Type = (type: string) => UTF8.test(CHARSET.exec(type)?.[1] ?? '');

/** Parses forms; leaves JSON as bytes for `readJson`; refuses other media types. */
const parseBody: RequestHandler = (req, res, next) => {
  const type = req.headers['content-type'] ?? '';
  if (!hasBody(req)) next();
  else if (PLAIN_JSON.test(type) || req.is(['application/json', 'application/*+json'])) {
    if (!isUtf8Type(type)) throw unsupportedCharset();
    parseRaw(req, res, next);
  } else if (req.is(FORM)) {
    // The parser only accepts the plain media type.
    if (isUtf8Type(type)) req.headers['content-type'] = FORM;
    parseForm(req, res, next);
  } else if (mayBeEmpty(req))
    parseRaw(req, res, (error) => (error || isEmpty(req) ? next(error) : next(unknownMedia())));
  else throw unknownMedia();
};

/** Does not read the form: the handler decides whether, and how far, to read it. */
const acceptForm: RequestHandler = (req, _res, next) => {
  if (!req.is('multipart/form-data')) throw new AppError('unsupported_media_type', texts.upload.mediaType);
  next();
};

/** The middleware that reads the request body of a route. */
export const parserOf = (spec: { upload?: unknown; raw?: boolean }) =>
  spec.upload ? acceptForm : spec.raw ? parseRaw : parseBody;
