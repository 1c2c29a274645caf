import type { RecordOf } from '@emma/client/emma-client.ts'
import type { message } from '@emma/contract/resources/message.ts'

type Message = RecordOf<typeof message>

/** Fields of the form, in the order of its inputs. */
export const templateFields = [
  'name',
  'lang',
  'charset',
  'languages',
  'category',
  'collection',
  'subject',
  'preheader',
  'body_mjml',
  'body_long',
  'body_text',
  'attachments',
  'bee_json',
  'is_tracked',
  'urls',
] as const

export type TemplateValues = Pick<Message, (typeof templateFields)[number]>
