import { addressFaults } from './address-faults.ts'
import { beefreeFaults } from './beefree-faults.ts'
import { campaignFaults } from './campaign-faults.ts'
import { cellFaults } from './cell-faults.ts'
import { feedFaults } from './feed-faults.ts'
import { fieldFaults } from './field-faults.ts'
import { fileFaults } from './file-faults.ts'
import { imapFaults } from './imap-faults.ts'
import { importFaults } from './import-faults.ts'
import type { mailFaults } from './mail-faults.ts'
import { refusals } from './refusals.ts'
import { signInFaults } from './sign-in-faults.ts'
import { uploadFaults } from './upload-faults.ts'
import { volumeFaults } from './volume-faults.ts'

/** English texts by area of the code: `campaign.no_template`. Braces contain names of values. */
export const faultTexts = {
  address: addressFaults,
  beefree: beefreeFaults,
  campaign: campaignFaults,
  cell: cellFaults,
  feed: feedFaults,
  field: fieldFaults,
  file: fileFaults,
  imap: imapFaults,
  import: importFaults,
  refusal: refusals,
  sign_in: signInFaults,
  upload: uploadFaults,
  volume: volumeFaults,
} as const

type Texts = typeof faultTexts

/** Codes with a text in this package; those of mail have theirs in packages/mail. */
export type TextCode = { [Area in keyof Texts]: CodeOf<Area> }[keyof Texts]

export type FaultCode = TextCode | keyof typeof mailFaults

/** A value may itself be a fault (for example of an address), or several. */
export type FaultValue = string | number | Fault | readonly Fault[]
export type FaultValues = Readonly<Record<string, FaultValue>>

/** A fault as data. `message` is English, for API clients; users read the text of the code in their language. */
export interface Fault {
  code: FaultCode
  values?: FaultValues
  message: string
}

/** A fault as fields of a record that has a `code` of its own. */
export function reasonOf({ code, values, message }: Fault): {
  reason: FaultCode
  values?: FaultValues
  message: string
} {
  return { reason: code, ...(values && { values }), message }
}

/** A code of an area: `field.required`. */
export type CodeOf<Area extends keyof Texts> = `${Area}.${keyof Texts[Area] & string}`

type TextOf<Code extends TextCode> = Code extends `${infer Area extends keyof Texts}.${infer Name}`
  ? Texts[Area][Name & keyof Texts[Area]]
  : never

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

/** Values that the text of a code names, plus optional ones for screens. */
type ValuesOf<Code extends TextCode> = Readonly<Record<Names<TextOf<Code>>, FaultValue>> & FaultValues

/** Values of a code, if its text names any. */
export type ValuesFor<Code extends TextCode> = [Names<TextOf<Code>>] extends [never] ? [] : [ValuesOf<Code>]

/** Creates a fault; the values that its text names are required. */
export function fault<Code extends TextCode>(code: Code, ...[values]: ValuesFor<Code>): Fault {
  return { code, ...(values && { values }), message: filled(textOf(code), values) }
}

function textOf(code: TextCode): string {
  const [area = '', name = ''] = code.split('.')
  const known: Record<string, Readonly<Record<string, string>>> = faultTexts
  return known[area]?.[name] ?? code
}

/** Fills the values into a text; faults are replaced by their messages. */
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
