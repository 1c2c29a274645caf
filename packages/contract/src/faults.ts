import { z } from 'zod'
import { campaignFaults } from './campaign-faults.ts'
import { fieldFaults } from './field-faults.ts'
import type { mailFaults } from './mail-faults.ts'
import { refusals } from './refusals.ts'

/** English texts by area of the code: `campaign.no_template`. What stands in braces is a value. */
const texts = { campaign: campaignFaults, field: fieldFaults, refusal: refusals } as const

type Texts = typeof texts

/** A code whose text is here; those of mail and of uploads have theirs elsewhere. */
type TextCode = { [Area in keyof Texts]: `${Area}.${keyof Texts[Area] & string}` }[keyof Texts]

export type FaultCode = TextCode | keyof typeof mailFaults

/** A value may be a fault itself (what an address lacks), or several. */
export type FaultValue = string | number | Fault | readonly Fault[]
export type FaultValues = Readonly<Record<string, FaultValue>>

/** What went wrong, as data. `message` is English, for programs; people read the text of the code in their language. */
export interface Fault {
  code: FaultCode
  values?: FaultValues
  message: string
}

/** A fault as it comes over the wire, from a server that may know more codes. */
export const faultFields = {
  code: z.string(),
  values: z.record(z.string(), z.unknown()).optional(),
  message: z.string(),
}

/** What a record with a `code` of its own adds: `reason` is the code of what `message` says. */
export const reasonFields = {
  reason: z.string().optional(),
  values: z.record(z.string(), z.unknown()).optional(),
  message: z.string(),
}

/** The fault as a part of a record that has a `code` of its own. */
export function reasonOf({ code, values, message }: Fault): {
  reason: FaultCode
  values?: FaultValues
  message: string
} {
  return { reason: code, ...(values && { values }), message }
}

type TextOf<Code extends TextCode> = Code extends `${infer Area extends keyof Texts}.${infer Name}`
  ? Texts[Area][Name & keyof Texts[Area]]
  : never

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

/** The values that the text of a code names, and more that a screen may use. */
type ValuesOf<Code extends TextCode> = Readonly<Record<Names<TextOf<Code>>, FaultValue>> & FaultValues

/** The fault of a code; the values that its text names are required. */
export function fault<Code extends TextCode>(
  code: Code,
  ...[values]: [Names<TextOf<Code>>] extends [never] ? [] : [ValuesOf<Code>]
): Fault {
  return { code, ...(values && { values }), message: filled(textOf(code), values) }
}

function textOf(code: TextCode): string {
  const [area = '', name = ''] = code.split('.')
  const known: Record<string, Readonly<Record<string, string>>> = texts
  return known[area]?.[name] ?? code
}

/** A text with its values in place of the braces; a fault among them gives its message. */
export function filled(text: string, values: FaultValues = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => shown(values[name] ?? ''))
}

function shown(value: FaultValue): string {
  if (typeof value !== 'object') return String(value)
  return Array.isArray(value) ? value.map(({ message }: Fault) => message).join('\n') : messageOf(value)
}

function messageOf(value: Exclude<FaultValue, string | number>): string {
  return 'message' in value ? value.message : ''
}
