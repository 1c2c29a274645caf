import './zod-config.ts'
import { defineAction } from '@emma/contract/define-action.ts'
import { id } from '@emma/contract/fields.ts'
import { z } from 'zod'

/** One settings record of a person; the first names the active client (R135). */
export const settingsRecord = z.looseObject({
  client_id: id,
  custom: z.record(z.string(), z.unknown()).nullish(),
})
export type SettingsRecord = z.infer<typeof settingsRecord>

const userParams = z.object({ id })
const nothing = z.unknown()

export const readSettings = defineAction({
  name: 'user_settings',
  area: 'account',
  method: 'GET',
  paths: ['/user/{id}/settings/'],
  permission: null,
  params: userParams,
  query: nothing,
  body: nothing,
  response: z.looseObject({ data: z.array(settingsRecord) }),
})

/** Saves the person's own settings of the console (R142). */
export const saveSettings = defineAction({
  name: 'save_user_settings',
  area: 'account',
  method: 'POST',
  paths: ['/user/{id}/settings/'],
  permission: null,
  params: userParams,
  query: nothing,
  body: z.object({ custom: z.record(z.string(), z.unknown()) }),
  response: nothing,
  evicts: ['settings'],
})

/** Makes another of the person's clients the active one (R226). */
export const activateClient = defineAction({
  name: 'activate_client',
  area: 'account',
  method: 'POST',
  paths: ['/user/{id}/client/{client_id}/'],
  permission: null,
  params: z.object({ id, client_id: id }),
  query: nothing,
  body: nothing,
  response: nothing,
  evicts: ['settings'],
})

/** A token with the rights of a role instead of one's own; `null` gives one's own back. Superadmins only (R148). */
export const viewAsRole = defineAction({
  name: 'view_as_role',
  area: 'account',
  method: 'POST',
  paths: ['/auth/view-as'],
  permission: null,
  params: nothing,
  query: nothing,
  body: z.object({ role_id: id.nullable() }),
  response: z.object({ token: z.string() }),
})

export const requestPasswordReset = defineAction({
  name: 'request_password_reset',
  area: 'account',
  method: 'POST',
  paths: ['/password-reset/'],
  permission: 'public',
  params: nothing,
  query: nothing,
  body: z.object({ username: z.string() }),
  response: nothing,
})

export const resetPassword = defineAction({
  name: 'reset_password',
  area: 'account',
  method: 'PUT',
  paths: ['/password-reset/'],
  permission: 'public',
  params: nothing,
  query: nothing,
  body: z.object({ token: z.string(), password: z.string() }),
  response: nothing,
})
