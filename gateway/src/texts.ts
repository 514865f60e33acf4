import type { Catalogue } from '@tutoring/shared/language/localized';
import { fr } from './french.ts';

const en = {
  unauthenticated: 'Unauthenticated.',
  unauthenticatedPayments: 'Please authenticate to continue.',
  unauthorized: 'Unauthorized access',
  setUpTotp: 'Set up two-factor authentication first.',
  serverError: 'Server Error',
  tooManyAttempts: 'Too Many Attempts.',
  routeNotFound: (path: string) => `The route ${path} could not be found.`,
  dashboardNotBuilt: 'The dashboard is not built here. `npm start` says why.',
  methodNotAllowed: (method: string) => `The ${method} method is not supported for this route.`,
  malformed: 'The request could not be understood.',
  expectation: 'The expectation of the request cannot be met.',
  requestTimeout: 'The request took too long to arrive.',
  headersTooLarge: 'The headers of the request are too large.',
  tooLarge: 'The request body is too large.',
  unsupportedEncoding: 'The encoding of the request body is not supported.',
  badGateway: 'A service gave no valid answer. Please try again.',
  unavailable: 'A service is unavailable. Please try again.',
  gatewayTimeout: 'A service did not answer in time. Please try again.',
  referenceTitle: 'Tutoring marketplace: reference',
};

/** Every text of the gateway for people, in the exchange's language. */
export const texts: Catalogue<typeof en> = { en, fr };
