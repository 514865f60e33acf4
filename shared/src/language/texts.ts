import { fr } from './french.ts';
import { plural, localized } from './localized.ts';

const en = {
  unauthenticated: 'Unauthenticated.',
  unauthorized: 'Unauthorized access',
  recordNotFound: 'The record could not be found.',
  tooManyAttempts: 'Too Many Attempts.',
  serverError: 'Server Error',
  busy: 'The service is busy. Please try again.',
  searchesBusy: 'Too many searches are under way. Please try again.',
  unavailable: 'A service is unavailable. Please try again.',
  routeNotFound: (path: string) => `The route ${path} could not be found.`,
  methodNotAllowed: (method: string) => `The ${method} method is not supported for this route.`,
  body: {
    tooLarge: 'The request body is too large.',
    tooManyFields: 'The form has too many fields.',
    charset: 'The charset of the request body is not supported.',
    encoding: 'The encoding of the request body is not supported.',
    malformed: 'The request could not be understood.',
    notJson: 'The request body is not valid JSON.',
    notAnObject: 'The request body must be a JSON object.',
    mediaType: 'Send the body as application/json.',
  },
  upload: {
    notWhole: 'The request body is not a whole multipart form.',
    mediaType: 'Send the file as multipart/form-data.',
    notStored: 'The file could not be stored. Please try again.',
    notRead: 'The file could not be read. Please try again.',
    outOfRange: 'The range is not inside the file.',
  },
  idempotencyKey: {
    length: 'The Idempotency-Key header must have 1 to 255 characters.',
    expired: 'A request with this Idempotency-Key has just expired. Please try again.',
    otherBody: 'The Idempotency-Key was used with another body.',
    running: 'A request with this Idempotency-Key is still running.',
  },
  page: { previous: '&laquo; Previous', next: 'Next &raquo;' },
  /** In the words of Laravel 10. */
  validation: {
    /** A field's name in words. */
    field: (name: string) => name,
    givenDataInvalid: 'The given data was invalid.',
    andMore: (count: number) => ` (and ${count} more ${plural('en', count, { one: 'error', other: 'errors' })})`,
    required: 'The :attribute field is required.',
    requiredWhen: (other: string, value: string) => `The :attribute field is required when ${other} is ${value}.`,
    notBefore: (other: string) => `The :attribute field must be a date after or equal to ${other}.`,
    invalid: 'The :attribute field is invalid.',
    selected: 'The selected :attribute is invalid.',
    taken: 'The :attribute has already been taken.',
    characters: 'The :attribute field contains invalid characters.',
    string: 'The :attribute field must be a string.',
    integer: 'The :attribute field must be an integer.',
    boolean: 'The :attribute field must be true or false.',
    array: 'The :attribute field must be an array.',
    email: 'The :attribute field must be a valid email address.',
    uuid: 'The :attribute field must be a valid UUID.',
    url: 'The :attribute field must be a valid URL.',
    date: 'The :attribute field must be a valid date.',
    format: 'The :attribute field format is invalid.',
    max: {
      number: (limit: string) => `The :attribute field must not be greater than ${limit}.`,
      string: (limit: string) => `The :attribute field must not be greater than ${limit} characters.`,
      array: (limit: string) => `The :attribute field must not have more than ${limit} items.`,
    },
    min: {
      number: (limit: string) => `The :attribute field must be at least ${limit}.`,
      string: (limit: string) => `The :attribute field must be at least ${limit} characters.`,
      array: (limit: string) => `The :attribute field must have at least ${limit} items.`,
    },
  },
};

/** Texts that every service uses. */
export const texts = localized({ en, fr });
