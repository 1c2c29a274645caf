import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { flag, id, line, name, text } from '../fields.ts'
import { languages } from './client.ts'

/** Processes: emails of a subscription, and the landing pages that the tracking host shows. */
export const processes = [
  'doi_request',
  'doi_done',
  'welcome',
  'unsub_done',
  'profile',
  'data_request',
  'page_thanks',
  'page_error',
  'page_unsub',
] as const
export type Process = (typeof processes)[number]

type PageProcess = Extract<Process, `page_${string}`>

/** A page is shown in the browser: it has no subject, and no plain text. */
export function isPage(process: Process | null): process is PageProcess {
  return process?.startsWith('page_') ?? false
}

/** Mails that are sent only with an active default of the client: nobody expects them before. */
export function isOptional(process: Process): boolean {
  return !isPage(process) && !processLinks[process].required.includes('doi')
}

/** Processes whose text a web form can choose. */
export const formProcesses = ['doi_request', 'doi_done', 'welcome', 'page_thanks'] as const

type Link = 'doi' | 'unsubscribe' | 'preferences'

/**
 * System links by process: `required` must be in the content, `possible` are the others that have a target there. The
 * link `doi` opens the page that confirms: a subscription, or what was asked for on the preference page. Such mails have
 * no unsubscribe link, as their recipients may not be subscribed.
 */
export const processLinks: Readonly<
  Record<Process, { required: readonly Link[]; possible: readonly Link[] }>
> = {
  doi_request: { required: ['doi'], possible: [] },
  doi_done: { required: ['unsubscribe'], possible: ['preferences'] },
  welcome: { required: ['unsubscribe'], possible: ['preferences'] },
  unsub_done: { required: [], possible: ['preferences'] },
  profile: { required: ['preferences'], possible: ['unsubscribe'] },
  data_request: { required: ['doi'], possible: [] },
  page_thanks: { required: [], possible: ['preferences', 'unsubscribe'] },
  page_error: { required: [], possible: [] },
  page_unsub: { required: ['preferences'], possible: [] },
}

/** Content of a process mail, with the limits of its fields. */
export const processMailContent = {
  process: z.enum(processes),
  lang: z.enum(languages),
  subject: line(998).nullable(),
  body_long: text(500_000),
  body_text: text(200_000).nullable(),
}

/**
 * A process mail or landing page of a client (PMT). One per process and language is the default, and used while it is
 * active; without one, EMMA uses the shipped text.
 */
export const pmt = defineResource({
  name: 'pmt',
  area: 'content',
  entity: 'EmmaPmt',
  key: 'pmt_id',
  label: 'name',
  paths: ['/v2/emma/client/{client_id}/pmt/'],
  tenant: true,
  largeBody: true,
  fields: {
    pmt_id: id,
    name,
    ...processMailContent,
    domain_id: id.nullable(),
    is_default: z.boolean().default(false),
    active: z.boolean().default(true),
  },
  readOnly: [],
  required: { create: ['name', 'process', 'lang', 'body_long'] },
  filters: {
    process: { operator: 'eq', value: z.enum(processes) },
    lang: { operator: 'eq', value: z.enum(languages) },
    is_default: { operator: 'flag', value: flag },
    onlyactive: { operator: 'flag', column: 'active', value: flag },
  },
  search: ['name', 'subject'],
  sort: ['name', 'process', 'lang', 'active'],
  included: {},
})
