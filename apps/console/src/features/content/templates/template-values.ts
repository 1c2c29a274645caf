import type { RecordOf } from '@emma/client/emma-client.ts'
import type { message } from '@emma/contract/resources/message.ts'
import type { Start } from './starters.ts'

type Message = RecordOf<typeof message>

/** Fields of the form, in the order of its inputs. */
export const templateFields = [
  'name',
  'lang',
  'category',
  'collection',
  'subject',
  'preheader',
  'body_mjml',
  'body_long',
  'body_text',
  'is_tracked',
  'urls',
] as const

export type TemplateValues = Pick<Message, (typeof templateFields)[number]>

/** Initial values of the form, with defaults for a new template. */
export function templateValues(record: Message | null, start: Start): TemplateValues {
  return {
    name: record?.name ?? '',
    lang: record?.lang ?? 'en',
    category: record?.category ?? null,
    collection: record?.collection ?? null,
    subject: record?.subject ?? start.subject,
    preheader: record ? record.preheader : start.preheader,
    body_mjml: record ? record.body_mjml : start.body_mjml,
    body_long: record ? record.body_long : start.body_long,
    body_text: record?.body_text ?? null,
    is_tracked: record?.is_tracked ?? true,
    urls: record?.urls ?? [],
  }
}
