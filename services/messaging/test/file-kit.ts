import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { IDENTITY_HEADER, type Caller } from '@tutoring/shared/kit/identity/auth';
import { filesFolder, infra } from '@tutoring/shared/testing/infra';
import { upload, type UploadOptions } from '@tutoring/shared/testing/upload';
import { startMessaging } from './kit.ts';

export const HTML = Buffer.from('<!doctype html><script>alert(document.domain)</script>');
export const student = (id: number): Caller => ({ kind: 'user', id, platform: 'student', tokenId: id });
export const teacher = (id: number): Caller => ({ kind: 'user', id, platform: 'teacher', tokenId: id });

/** Messaging with its own folder for files, and helpers for tests of files. */
export async function startFiles() {
  const folder = join(filesFolder(infra().run), `files-${randomBytes(4).toString('hex')}`);
  const messaging = await startMessaging({ FILES_URL: `file://${folder}` });
  let people = 100;
  const signed = (caller: Caller) => ({ [IDENTITY_HEADER]: messaging.service.signer.sign(caller) });
  const local = (link: string) => link.replace('http://public.test', messaging.service.url);
  const stored = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  return {
    messaging,
    signed,
    local,
    stored,
    post: (path: string, caller: Caller, bytes: Uint8Array, options: UploadOptions = {}) =>
      upload(`${messaging.service.url}${path}`, bytes, { ...options, headers: signed(caller) }),
    statusOf: async (link: string) => (await fetch(local(link))).status,
    isStored: async (link: string) => (await stored()).some((path) => path.endsWith(link.split('/').at(-1)!)),
    /** A new student and a new teacher with their room. */
    pair: async () => {
      const [studentId, teacherId] = [(people += 1), (people += 1)];
      const opened = await messaging.pair(studentId, teacherId);
      const [studentCaller, teacherCaller] = [student(studentId), teacher(teacherId)];
      return { ...opened, studentId, teacherId, studentCaller, teacherCaller, path: `/api/rooms/${opened.uuid}/files` };
    },
  };
}

export type FileKit = Awaited<ReturnType<typeof startFiles>>;
