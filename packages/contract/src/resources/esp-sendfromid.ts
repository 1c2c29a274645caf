import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { email, id, line } from '../fields.ts'
import { esps } from './esp-login.ts'

/** A sender that a service knows by an id of its own (R220). `/emma/{esp}/sendfromid/` leads here. */
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
    /** As the service names it. */
    external_id: line(255).nullable(),
    from_name: line(255).nullable(),
    from_email: email,
    reply_to: email.nullable(),
    /** The service has said that mail may come from this address. */
    verified: z.boolean().default(false),
  },
  readOnly: [],
  required: { create: ['esp', 'login_id', 'from_email'] },
  filters: { esp: { operator: 'eq', value: z.enum(esps) } },
  search: ['from_email', 'from_name'],
  sort: ['from_email', 'from_name', 'verified'],
  included: { login: { resource: 'esp_login', via: 'login_id' } },
})
