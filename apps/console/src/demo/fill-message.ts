import type { renderedMessage } from '@emma/contract/actions/content.ts'
import { escapeHtml } from '@emma/mail/template/value-text.ts'
import type { z } from 'zod'
import type { DemoState, Fields } from './demo-call.ts'
import type { DemoPlaceholder, DemoTemplate } from './demo-records.ts'

type Source = Pick<DemoTemplate, 'subject' | 'body_long' | 'body_text' | 'lang'>

/**
 * Renders a message for a member as far as the browser can: values, modules and links are filled in, conditions are
 * removed. Member 0 is the first one.
 */
export async function fillMessage(
  source: Source,
  memberId: number,
  { tables }: DemoState,
): Promise<z.infer<typeof renderedMessage>> {
  const members = tables<Fields>('subscriber')
  const member = (memberId === 0 ? (await members.all())[0] : await members.get(memberId)) ?? {}
  const modules = await tables<DemoPlaceholder>('placeholder').all()
  const moduleOf = (token: string) => modules.find(row => row.token === token)?.body[source.lang] ?? ''
  const [client = {}] = await tables<Fields>('client').all()
  const fill = (text: string, escape = (value: string) => value) =>
    fillValues(fillModules(text, moduleOf), member, client, escape)
  return {
    subject: fill(source.subject),
    html: fill(source.body_long ?? '', escapeHtml),
    text: fill(source.body_text ?? ''),
    headers: {},
    warnings: [],
  }
}

function fillModules(text: string, moduleOf: (token: string) => string): string {
  return text.replaceAll(/\{\{\s*module\.(\w+)\s*\}\}/g, (_, token: string) => moduleOf(token))
}

function fillValues(text: string, member: Fields, client: Fields, escape: (value: string) => string): string {
  return text
    .replaceAll(/\{%[^%]*%\}/g, '')
    .replaceAll(/\{\{\s*link\.\w+\s*\}\}/g, '#')
    .replaceAll(/\{\{\s*client\.(\w+)[^}]*\}\}/g, (_, name: string) =>
      escape(textOf(client[name]) || textOf(client['name'])),
    )
    .replaceAll(
      /\{\{\s*member\.(\w+)\s*(?:\|\s*default:\s*"([^"]*)"\s*)?\}\}/g,
      (_, name: string, otherwise = '') => escape(textOf(member[name]) || otherwise),
    )
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
