import express, { type Request, type RequestHandler } from 'express';
import { AppError } from '../../errors.ts';
import { texts } from '../../language/texts.ts';
import { isEmptyBody } from './json-reader.ts';

export const unsupportedCharset = () => new AppError('unsupported_media_type', texts.body.charset);

const anyType = { limit: '1mb', type: () => true };
const parseForm = express.urlencoded({ ...anyType, extended: true });
const parseRaw = express.raw(anyType);

const unknownMedia = () => new AppError('unsupported_media_type', texts.body.mediaType);

/** A body of no media type, or a short one of any: perhaps there is nothing in it. */
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

/** The parser for the media type; anything but JSON and forms is refused. JSON stays bytes until it is read. */
const parseBody: RequestHandler = (req, res, next) => {
  const type = req.headers['content-type'] ?? '';
  if (!hasBody(req)) next();
  else if (PLAIN_JSON.test(type) || req.is(['application/json', 'application/*+json'])) {
    if (!isUtf8Type(type)) throw unsupportedCharset();
    parseRaw(req, res, next);
  } else if (req.is(FORM)) {
    // The parser knows one spelling of it.
    if (isUtf8Type(type)) req.headers['content-type'] = FORM;
    parseForm(req, res, next);
  } else if (mayBeEmpty(req))
    parseRaw(req, res, (error) => (error || isEmpty(req) ? next(error) : next(unknownMedia())));
  else throw unknownMedia();
};

/** A form with a file is not read here: its handler decides whether to read it and how far. */
const acceptForm: RequestHandler = (req, _res, next) => {
  if (!req.is('multipart/form-data')) throw new AppError('unsupported_media_type', texts.upload.mediaType);
  next();
};

/** What reads a request's body for this route. */
export const parserOf = (spec: { upload?: unknown; raw?: boolean }) =>
  spec.upload ? acceptForm : spec.raw ? parseRaw : parseBody;
