import { z } from 'zod'
import { mailFontNames } from '../client-brand.ts'
import { defineResource } from '../define-resource.ts'
import { flag, id, line, name, queryId, text } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'
import { languages } from './client.ts'

export const webformTypes = ['inline', 'popup', 'page'] as const
export const modalSizes = ['sm', 'md', 'lg'] as const
export const popupTriggers = ['delay', 'scroll', 'exit'] as const

/** Most steps of a form. */
export const MAX_STEPS = 5

function perLanguage<S extends z.ZodType>(value: S) {
  return z.partialRecord(z.enum(languages), value)
}

/** A column of the datasource in a form. */
export const webformField = z.strictObject({
  column: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, checkFault('field.column_name')),
  /** Without a label in a language, that of the column is shown. */
  label: perLanguage(line(255)).default({}),
  required: z.boolean().default(false),
  /** Not shown: the member gets the default, or the value of the URL. */
  hidden: z.boolean().default(false),
  default: line(500).nullable().default(null),
  /** Takes its value from the parameter of the page's URL that has the name of the column. */
  prefill: z.boolean().default(false),
  step: z.int().min(1).max(MAX_STEPS).default(1),
})
export type WebformField = z.infer<typeof webformField>

/** Texts of a form in one language; shipped ones replace those that are missing. */
const webformTexts = z.strictObject({
  title: line(255).optional(),
  intro: text(2000).optional(),
  button: line(100).optional(),
  thanks: text(2000).optional(),
})

const color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, checkFault('field.color'))
  .nullable()

/** Colours, font and radius; null: those of the brand. */
export const webformStyle = z.strictObject({
  color: color.default(null),
  text_color: color.default(null),
  background: color.default(null),
  font: z.enum(mailFontNames).nullable().default(null),
  radius: z.int().min(0).max(40).nullable().default(null),
})
export type WebformStyle = z.infer<typeof webformStyle>

/** A page that people are sent to. Only HTTPS, without credentials; the host is part of a security policy. */
const redirect = line(2000).trim().refine(isPublicPage, checkFault('field.https')).nullable()

function isPublicPage(url: string): boolean {
  const { protocol, username, password, hostname = '' } = URL.parse(url) ?? {}
  return protocol === 'https:' && username === '' && password === '' && /^[a-z0-9.-]+$/.test(hostname)
}

/**
 * A web form (R237): people subscribe to a datasource on a public page under `/f/{hash}`, or on a website that embeds
 * it. A changed consent text gets the next version; submissions refer to the version that was shown.
 */
export const webform = defineResource({
  name: 'webform',
  area: 'audience',
  entity: 'WebForms',
  key: 'webform_id',
  label: 'name',
  paths: ['/webform/'],
  tenant: true,
  fields: {
    webform_id: id,
    name,
    member_table_id: id,
    /** Its tracking host serves the form; its mail settings send the confirmation. */
    domain_id: id,
    fields: z.array(webformField).max(50),
    texts: perLanguage(webformTexts).default({}),
    /** Text beside the consent checkbox; links as `[text](https://…)`. Without one there is no checkbox. */
    consent: perLanguage(text(5000)).default({}),
    /** 0: no consent text yet. */
    consent_version: z.int(),
    doi: z.boolean().default(true),
    /** Asks how often people want emails, as the preference page does. */
    frequency: z.boolean().default(false),
    /** Page after the submission; null: the form's own text. */
    thanks_url: redirect,
    /** Page after the confirmation; null: the landing page of the process mails. */
    confirmed_url: redirect,
    /** Process mails and landing pages used instead of the defaults, one per process and language. */
    pmt_ids: z.array(id).max(12).default([]),
    type: z.enum(webformTypes).default('inline'),
    modal_size: z.enum(modalSizes).default('md'),
    popup_trigger: z.enum(popupTriggers).default('delay'),
    /** Seconds (`delay`) or percent of the page (`scroll`). */
    popup_after: z.int().min(0).max(600).default(5),
    /** Days after which a closed pop-up opens again; 0: at the next visit. */
    popup_again: z.int().min(0).max(365).default(30),
    style: webformStyle.default(webformStyle.parse({})),
    honeypot: z.boolean().default(true),
    /** Most submissions per hour, of all people together. */
    rate_limit: z.int().min(1).max(100_000).default(600),
    active: z.boolean().default(true),
    /** Public name. */
    hash: z.string(),
    /** Public page of the form. */
    url: z.string(),
    /** Figures of the last 30 days. */
    views: z.int(),
    starts: z.int(),
    submissions: z.int(),
    confirmed: z.int(),
  },
  readOnly: ['consent_version', 'hash', 'url', 'views', 'starts', 'submissions', 'confirmed'],
  required: { create: ['name', 'member_table_id', 'domain_id', 'fields'] },
  filters: {
    member_table_id: { operator: 'eq', value: queryId },
    type: { operator: 'eq', value: z.enum(webformTypes) },
    onlyactive: { operator: 'flag', column: 'active', value: flag },
  },
  search: ['name'],
  sort: ['name', 'type', 'active'],
  included: {},
})
