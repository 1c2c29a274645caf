import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { email, flag, id, instant, line, name, text } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

/** At least 10 characters; no other rules, as length matters more. */
export const password = text(200).min(10, checkFault('field.too_short'))

/** A user. `clients` and `roles` contain keys. */
export const user = defineResource({
  name: 'user',
  area: 'platform',
  entity: 'User',
  key: 'id',
  label: 'username',
  paths: ['/user/'],
  tenant: false,
  fields: {
    id,
    username: line(64).trim().min(2, checkFault('field.too_short')),
    email,
    firstname: name,
    lastname: name,
    password,
    administrator: z.boolean().default(false),
    superadmin: z.boolean().default(false),
    active: z.boolean().default(true),
    roles: z.array(id).max(1000),
    clients: z.array(id).max(10_000),
    isDemo: z.boolean(),
    locked_until: instant.nullable(),
    has_second_factor: z.boolean(),
    /** False while the invitation is open, or for users of single sign-on. */
    has_password: z.boolean(),
  },
  readOnly: ['isDemo', 'locked_until', 'has_second_factor', 'has_password'],
  writeOnly: ['password'],
  required: { create: ['firstname', 'lastname', 'email', 'username', 'roles', 'clients'] },
  filters: {
    email: { operator: 'contains', value: line() },
    onlyactive: { operator: 'flag', column: 'active', value: flag },
  },
  search: ['username', 'email', 'firstname', 'lastname'],
  sort: ['username', 'email', 'firstname', 'lastname'],
  included: {},
})
