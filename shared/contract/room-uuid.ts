import { v5 } from 'uuid';

/**
 * The uuid of the room of a student and a teacher, which is also the channel of their calls. Messaging and calls both
 * derive it from a secret namespace, so neither depends on the other.
 */
export const roomUuid = (namespace: string, studentId: number, teacherId: number) =>
  v5(`${studentId}:${teacherId}`, namespace);
