import { catalogue } from './catalogue.ts';

export const overview = catalogue(
  { students: 'Students', teachers: 'Teachers', rooms: 'Rooms', messages: 'Messages' },
  { students: 'Élèves', teachers: 'Enseignants', rooms: 'Salons', messages: 'Messages' },
);
