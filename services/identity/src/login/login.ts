import { z } from 'zod';
import { text } from '@tutoring/shared/kit/http/declare/fields';
import { deviceNameField } from '../tokens/token.ts';

export const loginBody = z
  .object({
    email: text().optional().meta({ example: 'awa@example.com' }),
    password: text(1_000).optional().meta({ example: 'a good secret' }),
    gauth_type: text().optional().meta({ example: 'email' }),
    platform: text().optional().meta({ example: 'student' }),
    phone_number: text().optional().meta({ example: '+22890112233' }),
    gauth_token: text(8_192).optional().meta({ example: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMDk4In0.c2lnbmF0dXJl' }),
    nonce: text(1_024).optional().meta({ example: 'n-0S6_WzA2Mj' }),
    device_key: text(1_024).optional().meta({ example: 'fcm-device-registration-token' }),
    device_name: deviceNameField(),
  })
  .meta({
    example: {
      email: 'awa@example.com',
      password: 'a good secret',
      gauth_type: 'email',
      platform: 'student',
      device_key: 'fcm-device-registration-token',
      device_name: 'Awa’s phone',
    },
  });

export type LoginInput = z.output<typeof loginBody>;

export const getTokenBody = z
  .object({
    email: text().meta({ example: 'awa@example.com' }),
    password: text(1_000).meta({ example: 'a good secret' }),
    device_key: text(1_024).optional().meta({ example: 'fcm-device-registration-token' }),
    device_token: text(1_024).optional().meta({ example: 'fcm-device-registration-token' }),
    fcm_token: text(1_024).optional().meta({ example: 'fcm-device-registration-token' }),
  })
  .meta({
    example: { email: 'awa@example.com', password: 'a good secret', device_key: 'fcm-device-registration-token' },
  });

export type TokenInput = z.output<typeof getTokenBody>;
