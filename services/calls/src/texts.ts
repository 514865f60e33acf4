import { localized } from '@tutoring/shared/language/localized';
import en from '../texts/en.json' with { type: 'json' };
import fr from '../texts/fr.json' with { type: 'json' };

/** Every text of this service that people read. */
export const texts = localized({ en, fr });

/** Configuration errors, for operators at the start. */
export const configTexts = {
  hex32: 'must be 32 hexadecimal digits',
  example: 'is an example value; production needs its own',
  sameAsAppId: 'is the app id; give the primary certificate of the Agora project',
};
