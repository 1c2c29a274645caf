import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { feedbackKind } from './feedback-type.ts'
import type { InboundMail, InboundRecipient } from './inbound-mail.ts'
import { parseInbound } from './parse-inbound.ts'

/** Classification of a message by a person: one label per recipient, none if the message is not a report. */
export interface Label {
  hard: number
  reason: string
  feedback?: string
}

export interface Score {
  /** Number of labels, and how many were classified correctly. */
  labels: number
  recognised: number
  /** Labels of bounces, and how many got the correct hard flag. */
  bounces: number
  hard: number
  /** Labels whose reason has a class, and how many got it. */
  judged: number
  reason: number
  /** Messages that are not bounces and were classified as such. */
  falsePositives: number
  /** Assigned classes by labelled reason. */
  confusion: Map<string, Map<string, number>>
  wrong: string[]
}

/** Classes that count as correct, by labelled reason. */
export const REASONS: Readonly<Record<string, readonly string[]>> = {
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

/** Reads `*.eml` and `labels.json` of a folder and compares the parser's results with the labels. */
export function scoreLabelled(folder: string): Score {
  const labels: Readonly<Record<string, readonly Label[]>> = JSON.parse(
    readFileSync(join(folder, 'labels.json'), 'utf8'),
  )
  const score: Score = {
    labels: 0,
    recognised: 0,
    bounces: 0,
    hard: 0,
    judged: 0,
    reason: 0,
    falsePositives: 0,
    confusion: new Map(),
    wrong: [],
  }
  const files = readdirSync(folder).filter(name => name.endsWith('.eml'))
  for (const file of files.toSorted()) {
    const mail = parseInbound(readFileSync(join(folder, file)))
    const own = labels[file]
    if (own?.length === 0)
      judgeOther(score, file, mail, ['other', 'auto-reply'].includes(mail.kind), 'nothing')
    for (const [index, label] of (own ?? []).entries())
      judge(score, file, label, mail, mail.recipients[index])
  }
  return score
}

function judge(
  score: Score,
  file: string,
  label: Label,
  mail: InboundMail,
  recipient: InboundRecipient | undefined,
): void {
  const { reason, feedback = '' } = label
  if (reason === 'feedback') {
    const isRight = feedback !== '' && mail.kind === feedbackKind(feedback) && mail.feedbackType === feedback
    return judgeOther(score, file, mail, isRight, `a complaint (${feedback})`)
  }
  if (reason === 'vacation') return judgeOther(score, file, mail, mail.kind === 'auto-reply', reason)
  if (reason === 'delivered') return judgeOther(score, file, mail, mail.kind === 'delivered', reason)
  score.labels++
  score.bounces++
  const found = isBounce(mail) ? recipient : undefined
  if (found) score.recognised++
  else score.wrong.push(`${file}: is a bounce (${reason}), got ${mail.kind}`)
  if (found?.hard === (label.hard === 1)) score.hard++
  else if (found) score.wrong.push(`${file}: hard is ${label.hard} (${reason}), got ${describe(found)}`)
  const expected = CLASS_OF.get(reason)
  if (expected === undefined || UNJUDGED.has(reason)) return
  score.judged++
  count(score.confusion, expected, found?.class ?? 'not found')
  if (found?.class === expected) score.reason++
  else if (found) score.wrong.push(`${file}: ${reason} is ${expected}, got ${describe(found)}`)
}

function judgeOther(score: Score, file: string, mail: InboundMail, isRight: boolean, what: string): void {
  score.labels++
  if (isRight) score.recognised++
  else score.wrong.push(`${file}: is ${what}, got ${mail.kind} ${mail.feedbackType ?? ''}`)
  if (isBounce(mail)) score.falsePositives++
}

function isBounce({ kind }: InboundMail): boolean {
  return kind === 'bounce' || kind === 'delayed'
}

function count(confusion: Score['confusion'], expected: string, got: string): void {
  const row = confusion.get(expected) ?? new Map<string, number>()
  confusion.set(expected, row.set(got, (row.get(got) ?? 0) + 1))
}

function describe(found: InboundRecipient): string {
  return `${found.class} ${found.hard ? 'hard' : 'soft'} ${found.reply ?? ''} ${found.status ?? ''} “${found.diagnostic.slice(0, 160)}”`
}
