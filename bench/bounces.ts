import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InboundMail, InboundRecipient } from '@emma/mail/bounce/inbound-mail.ts'
import { parseInbound } from '@emma/mail/bounce/parse-inbound.ts'

/**
 * Measures how well returned mail is understood: `npm run bench:bounces -- FOLDER [--wrong]` reads FOLDER's *.eml and
 * labels.json (per file one label a recipient: status, reply, reason, hard, feedback) and prints how the classes were
 * confused; `--wrong` lists what was not understood. The last line is JSON: the share of labels recognised for what they
 * are, of bounces with the right hardness and the right reason class, and the number of other mails counted as bounces.
 */

interface Label {
  hard: number
  reason: string
  feedback?: string
}

/** The reasons of the labels, by the class that counts as right. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  'bad-mailbox': ['userunknown', 'hasmoved'],
  'bad-domain': ['hostunknown', 'notaccept'],
  'inactive-mailbox': ['suspend'],
  quota: ['mailboxfull', 'systemfull'],
  filtered: ['filtered'],
  spam: ['spamdetected', 'virusdetected'],
  policy: ['policyviolation', 'rejected', 'norelaying', 'securityerror', 'notcompliantrfc'],
  reputation: ['blocked', 'badreputation', 'requireptr', 'authfailure'],
  rate: ['toomanyconn', 'speeding', 'exceedlimit'],
  content: ['contenterror', 'mesgtoobig'],
  connection: ['networkerror', 'expired'],
  system: ['systemerror', 'mailererror', 'syntaxerror'],
}
const CLASS_OF = new Map(
  Object.entries(REASONS).flatMap(([name, reasons]) => reasons.map(reason => [reason, name] as const)),
)
const UNJUDGED = new Set(['onhold', 'undefined'])

const [folder, option] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: npm run bench:bounces -- FOLDER [--wrong]')
  process.exit(2)
}

const labels: Readonly<Record<string, readonly Label[]>> = JSON.parse(
  readFileSync(join(folder, 'labels.json'), 'utf8'),
)
const score = { labels: 0, recognised: 0, bounces: 0, hard: 0, judged: 0, reason: 0, falsePositives: 0 }
const confusion = new Map<string, Map<string, number>>()

const started = performance.now()
for (const file of readdirSync(folder)
  .filter(name => name.endsWith('.eml'))
  .toSorted()) {
  const mail = parseInbound(readFileSync(join(folder, file)))
  for (const [index, label] of (labels[file] ?? []).entries())
    judge(file, label, mail, mail.recipients[index])
}
const elapsed = performance.now() - started

function judge(file: string, label: Label, mail: InboundMail, recipient: InboundRecipient | undefined): void {
  score.labels++
  const isBounce = mail.kind === 'bounce' || mail.kind === 'delayed'
  if (!isBounceLabel(label)) {
    const isRight = isRecognisedAsOther(label, mail)
    if (isRight) score.recognised++
    if (isBounce) score.falsePositives++
    if (!isRight) report(file, `is ${label.reason} ${label.feedback ?? ''}`, mail.kind)
    return
  }
  score.bounces++
  const found = isBounce && recipient !== undefined ? recipient : undefined
  if (found === undefined) report(file, `is a bounce (${label.reason})`, mail.kind)
  else score.recognised++
  if (found?.hard === (label.hard === 1)) score.hard++
  else if (found !== undefined) report(file, `hard is ${label.hard} (${label.reason})`, describe(found))
  const expected = CLASS_OF.get(label.reason)
  if (expected === undefined || UNJUDGED.has(label.reason)) return
  score.judged++
  const got = found?.class ?? 'not found'
  count(expected, got)
  if (got === expected) score.reason++
  else if (found !== undefined) report(file, `${label.reason} is ${expected}`, describe(found))
}

function isBounceLabel({ reason }: Label): boolean {
  return reason !== 'feedback' && reason !== 'vacation' && reason !== 'delivered'
}

function isRecognisedAsOther({ reason, feedback = '' }: Label, mail: InboundMail): boolean {
  if (reason === 'vacation') return mail.kind === 'auto-reply'
  if (reason === 'delivered') return mail.kind === 'delivered'
  return (mail.kind === 'complaint' || mail.kind === 'unsubscribe') && mail.feedbackType === feedback
}

function count(expected: string, got: string): void {
  const row = confusion.get(expected) ?? new Map<string, number>()
  confusion.set(expected, row.set(got, (row.get(got) ?? 0) + 1))
}

function report(file: string, expected: string, got: string): void {
  if (option === '--wrong') console.log(`${file}: ${expected}, got ${got}`)
}

function describe(found: InboundRecipient): string {
  return `${found.class} ${found.hard ? 'hard' : 'soft'} ${found.reply ?? ''} ${found.status ?? ''} “${found.diagnostic.slice(0, 160)}”`
}

function printConfusion(): void {
  const columns = [
    ...new Set([...Object.keys(REASONS), ...[...confusion.values()].flatMap(row => [...row.keys()])]),
  ]
  console.log(`${'label \\ found'.padEnd(18)}${columns.map(name => name.slice(0, 10).padStart(11)).join('')}`)
  for (const name of Object.keys(REASONS)) {
    const row = confusion.get(name)
    const cells = columns.map(column => String(row?.get(column) ?? '·').padStart(11))
    console.log(name.padEnd(18) + cells.join(''))
  }
}

const share = (part: number, whole: number) =>
  whole === 0 ? 1 : Math.round((part / whole) * 10_000) / 10_000
printConfusion()
console.log(
  `${score.labels} labels, ${score.bounces} of bounces, ${score.judged} with a reason; ${Math.round(elapsed)} ms`,
)
console.log(
  JSON.stringify({
    recognised: share(score.recognised, score.labels),
    hard: share(score.hard, score.bounces),
    reason: share(score.reason, score.judged),
    false_positives: score.falsePositives,
  }),
)
