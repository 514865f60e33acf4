import { z } from 'zod';
import type { EventData } from '@tutoring/shared/contract/events';
import { studentSummary, teacherSummary } from '@tutoring/shared/contract/room';
import { pickFields, times } from '@tutoring/shared/kit/http/declare/fields';

type Known = EventData<'user.changed'>;

/** A student or teacher, as in identity's last event. */
export type Person = Omit<Known, 'version' | 'plan_id' | 'bio' | 'verified' | 'unproven_email'> & {
  unproven_email: string | null;
};

export const sender = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Awa Diallo' }),
    email: z.string().meta({ example: 'awa@example.com' }),
    solde: z.int().meta({ description: "The viewer's own balance; 0 for anybody else.", example: 4800 }),
    level_study: z.string().nullable().meta({ example: 'Terminale' }),
    subjects_interest: z.string().meta({ example: 'Algebra' }),
    phone_number: z.string().meta({ example: '+22890112233' }),
    photo: z.string().meta({ example: 'https://api.example.com/api/assets/avatar.png' }),
    address: z.string().meta({ example: '12 rue des Cocotiers' }),
    city: z.string().meta({ example: 'Lomé' }),
    country: z.string().meta({ example: 'Togo' }),
    about_me: z.string().meta({ example: 'I prepare pupils for the baccalauréat' }),
    status: z.string().meta({ example: 'active' }),
    ...times,
  })
  .meta({ id: 'Sender' });

/** The e-mail address that the person and administrators see, verified or not. */
export const ownEmail = (person: Person) => person.unproven_email ?? person.email;
const emailFor = (person: Person, viewerId: number) => (person.id === viewerId ? ownEmail(person) : person.email);

export const asStudent = (person: Person, viewerId: number): z.input<typeof studentSummary> =>
  pickFields(studentSummary, { ...person, email: emailFor(person, viewerId) });

export const asTeacher = (person: Person, viewerId: number): z.input<typeof teacherSummary> =>
  pickFields(teacherSummary, {
    ...person,
    email: emailFor(person, viewerId),
    domains: person.domains.join(', '),
    availability: person.availability === '' ? null : person.availability,
  });

/**
 * The sender as `viewer` may see them. Only the sender sees their balance. The chat partner sees phone and address only
 * with the setting `show_contact_details`.
 */
export function asSender(
  person: Person,
  viewer: { id: number; solde: number; showContactDetails: boolean },
): z.input<typeof sender> {
  const own = person.id === viewer.id;
  const contact = (value: string) => (own || viewer.showContactDetails ? value : '');
  return pickFields(sender, {
    ...person,
    email: emailFor(person, viewer.id),
    solde: own ? viewer.solde : 0,
    phone_number: contact(person.phone_number),
    address: contact(person.address),
    city: contact(person.city),
  });
}

/** Whether the person may neither write nor be written to. A person without a copy yet is not barred. */
export const isBarred = (person: Pick<Person, 'status' | 'deleted'> | null | undefined) =>
  person ? person.deleted || person.status !== 'active' : false;

const EPOCH = '1970-01-01T00:00:00.000000Z';

/** Stands for a user unknown to identity: every key is present, with a neutral value. */
export const unknownPerson = (id: number): Person => ({
  id,
  platform: 'student',
  status: 'banned',
  deleted: true,
  name: '',
  email: '',
  unproven_email: null,
  phone_number: '',
  photo: '',
  address: '',
  city: '',
  country: '',
  about_me: '',
  level_study: null,
  subjects_interest: '',
  domains: [],
  experience: 0,
  availability: '',
  created_at: EPOCH,
  updated_at: EPOCH,
});

export const PERSON_FIELDS = Object.keys(unknownPerson(0));
