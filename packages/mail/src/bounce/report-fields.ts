/** Fields of a delivery or feedback report: names in lower case, all values of each in order. */
export type ReportFields = ReadonlyMap<string, readonly string[]>

/** Fields of one recipient in a report (RFC 3464, 2.3); '' if missing. */
export interface RecipientReport {
  address: string
  action: string
  status: string
  diagnostic: string
  /** PowerMTA's class of the bounce. */
  category: string
  /** The report comes from a server behind the recipient's MX: a rule rejected the message after acceptance. */
  isFromInside: boolean
}

/** A recipient with an address and no other fields. */
export function bareReport(address: string): RecipientReport {
  return { address, action: '', status: '', diagnostic: '', category: '', isFromInside: false }
}

const MAX_RECIPIENTS = 1_000

/**
 * Parses the recipients of a `message/delivery-status` text. A recipient begins with the block that names it, or
 * where another one is named: some systems write one block for all, others split a block.
 */
export function readRecipientReports(text: string): RecipientReport[] {
  const isFromInside = INSIDE_REPORTER.test(text)
  const recipients: Map<string, string>[] = []
  let current: Map<string, string> | undefined
  for (const block of splitBlocks(text)) {
    const namesOne = block.some(([name]) => isRecipientField(name))
    const isAboutOne = namesOne || block.some(([name]) => name === 'action' || name === 'status')
    if (namesOne || (isAboutOne && current === undefined)) {
      current = new Map()
      recipients.push(current)
    }
    for (const [name, value] of block) {
      if (current === undefined) break
      if (isRecipientField(name) && current.has(name)) {
        current = new Map()
        recipients.push(current)
      }
      if (!current.has(name)) current.set(name, value)
    }
  }
  return recipients.slice(0, MAX_RECIPIENTS).map(fields => ({ ...toReport(fields), isFromInside }))
}

/** Parses all fields of a text regardless of blocks: for feedback reports and per-message fields. */
export function readFields(text: string): ReportFields {
  const fields = new Map<string, string[]>()
  for (const [name, value] of splitBlocks(text).flat()) {
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  return fields
}

/** A path has at most 256 octets (RFC 5321, 4.5.3.1.3); the regular expressions below take quadratic time. */
const MAX_ADDRESS_FIELD = 1_000

/** Returns the bare address of `rfc822; <anna@example.com>` and similar values, or ''. */
export function addressIn(value: string): string {
  const bare = value
    .slice(0, MAX_ADDRESS_FIELD)
    .replace(/^\s*[\w-]+\s*;/, '')
    .replace(/\(.*\)\s*$/, '')
    .trim()
  return (
    /<([^<>\s]+)>/.exec(bare)?.[1] ??
    /[^\s<>"';,]+@[^\s<>"';,]+/.exec(bare)?.[0] ??
    bare.split(/\s/, 1)[0] ??
    ''
  )
}

/** Amazon SES accepts mail for a domain before it runs the owner's receipt rules. */
const INSIDE_REPORTER = /^reporting-mta:\s*dns;\s*inbound-smtp\.[\w.-]*amazonaws\.com/im

type Field = readonly [name: string, value: string]

function isRecipientField(name: string): boolean {
  return name === 'final-recipient' || name === 'original-recipient'
}

function splitBlocks(text: string): Field[][] {
  return text
    .split(/\n[ \t]*\n/)
    .map(block => readBlock(block))
    .filter(block => block.length > 0)
}

function readBlock(block: string): Field[] {
  const fields: Field[] = []
  for (const line of block.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const match = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*:\s*(.*)$/.exec(line)
    if (match !== null) fields.push([match[1]!.toLowerCase(), match[2]!.trim()])
  }
  return fields
}

function toReport(fields: ReadonlyMap<string, string>): Omit<RecipientReport, 'isFromInside'> {
  const final = addressIn(fields.get('final-recipient') ?? '')
  const original = addressIn(fields.get('original-recipient') ?? '')
  return {
    address: final.includes('@') || original === '' ? final : original,
    action: /^\w+/.exec(fields.get('action') ?? '')?.[0].toLowerCase() ?? '',
    status: /[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? '',
    diagnostic: (fields.get('diagnostic-code') ?? '').replace(/^[\w-]+\s*;\s*/, ''),
    category: (fields.get('x-powermta-bouncecategory') ?? '').toLowerCase(),
  }
}
