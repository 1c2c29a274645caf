import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { flag, id, instant, line, text } from '../fields.ts'

/** Colours of a banner and widths of a modal: a message is a banner, a modal, or a modal in a colour (R282). */
export const motdTypes = ['info', 'success', 'warning', 'danger'] as const
export const motdSizes = ['sm', 'lg', 'xl'] as const

/** Before, during and after the period of display. */
export const motdStates = ['planned', 'active', 'ended'] as const

const title = line(200)
/** Markdown with simple HTML; it is sanitized before display. */
const body = text(20_000)
const targets = z.array(id).max(500)

/** A message of the day (R236, domain.md 2G): shown in the console to all users, or to those it addresses. */
export const motd = defineResource({
  name: 'motd',
  area: 'messages',
  entity: 'Motd',
  key: 'id',
  label: 'title_en',
  paths: ['/motd/'],
  tenant: false,
  fields: {
    id,
    title_en: title,
    title_de: title,
    title_es: title,
    body_en: body,
    body_de: body,
    body_es: body,
    startdate: instant,
    /** Null: no end. */
    enddate: instant.nullable(),
    type: z.enum(motdTypes).nullable(),
    modal_size: z.enum(motdSizes).nullable(),
    /** Empty: users of all clients, or with any role. */
    clients: targets.default([]),
    roles: targets.default([]),
    /** Also shown to users who are not logged in (R024); only for messages to all. */
    show_at_login: z.boolean().default(false),
    state: z.enum(motdStates),
  },
  readOnly: ['state'],
  required: {
    create: ['title_en', 'title_de', 'title_es', 'body_en', 'body_de', 'body_es', 'startdate'],
  },
  filters: {
    state: { operator: 'special', value: z.enum(motdStates) },
    type: { operator: 'eq', value: z.enum(motdTypes) },
    show_at_login: { operator: 'flag', value: flag },
  },
  search: ['title_en', 'title_de', 'title_es'],
  sort: ['title_en', 'title_de', 'title_es', 'startdate', 'enddate'],
  included: {},
})
