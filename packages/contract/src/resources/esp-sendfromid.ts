import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { email, id, line } from '../fields.ts'
import { esps } from './esp-login.ts'

/** A sender with an id at a sending service (R220). `/emma/{esp}/sendfromid/` is an alias. */
export const espSendfromid = defineResource({
  name: 'esp_sendfromid',
  area: 'esps',
  entity: 'EmmaEspSendfromid',
  key: 'id',
  label: 'from_email',
  paths: ['/emma/esp-sendfromid/'],
  tenant: true,
  fields: {
    id,
    esp: z.enum(esps),
    login_id: id,
    /** Id at the service. */
    external_id: line(255).nullable(),
    from_name: line(255).nullable(),
    from_email: email,
    reply_to: email.nullable(),
    /** The service has verified the address as a sender. */
    verified: z.boolean().default(false),
  },
  readOnly: [],
  required: { create: ['esp', 'login_id', 'from_email'] },
  filters: { esp: { operator: 'eq', value: z.enum(esps) } },
  search: ['from_email', 'from_name'],
  sort: ['from_email', 'from_name', 'verified'],
  included: { login: { resource: 'esp_login', via: 'login_id' } },
})
