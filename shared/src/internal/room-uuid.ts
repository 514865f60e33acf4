import { v5 } from 'uuid';

/**
 * The uuid of the room of a student and a teacher, which is also the channel of their calls: messaging and calls derive
 * the same one from a secret namespace, without asking each other.
 */
export const roomUuid = (namespace: string, studentId: number, teacherId: number) =>
  v5(`${studentId}:${teacherId}`, namespace);
