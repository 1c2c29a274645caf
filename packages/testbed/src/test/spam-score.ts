import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDebianProgram } from './debian.ts'

export interface SpamScore {
  score: number
  /** Matching rules with their scores. */
  rules: string
}

const program = findDebianProgram('spamassassin', '/usr/bin/spamassassin')

/** True if SpamAssassin is available. */
export const hasSpamAssassin = program !== null

/** Rules about the delivery or mailing lists must not compensate for the content. */
const PREFERENCES = `use_bayes 0
score MAILING_LIST_MULTI 0
`

/**
 * Scores each message with SpamAssassin's local tests, as received from a server with its own name.
 * @returns in the order of the messages
 */
export function spamScores(mails: readonly Buffer[]): SpamScore[] {
  if (program === null) throw new Error('There is no SpamAssassin.')
  const folder = mkdtempSync(join(tmpdir(), 'emma-spam-'))
  try {
    const preferences = join(folder, 'preferences')
    writeFileSync(preferences, `${PREFERENCES}add_header all Rules _TESTSSCORES_\n`)
    const received = Buffer.from(receivedNow())
    const files = mails.map((mail, index) => {
      const file = join(folder, `${index}.eml`)
      writeFileSync(file, Buffer.concat([received, mail]))
      return file
    })
    const command = program(['--local', '--test-mode', `--prefspath=${preferences}`, ...files])
    const { stdout, stderr } = spawnSync(...command, {
      encoding: 'latin1',
      env: { ...process.env, HOME: folder, LC_ALL: 'C' },
      maxBuffer: 256 * 1024 * 1024,
    })
    const unfolded = stdout.replaceAll(/\n[ \t]+/g, ' ')
    const scores = [...unfolded.matchAll(/^X-Spam-Status: .*?score=(-?[\d.]+)/gm)].map(found =>
      Number(found[1]),
    )
    const rules = [...unfolded.matchAll(/^X-Spam-Rules: (.*)$/gm)].map(found =>
      (found[1] ?? '').replaceAll(' ', ''),
    )
    if (scores.length !== mails.length || rules.length !== mails.length)
      throw new Error(`SpamAssassin answered for ${scores.length} of ${mails.length} mails. ${stderr}`)
    return scores.map((score, index) => ({ score, rules: rules[index] ?? '' }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The Received field of a message that arrives now: rules compare its time with Date. */
function receivedNow(): string {
  const time = new Date().toUTCString().replace('GMT', '+0000')
  return [
    'Return-Path: <b-tok@bounce.sender.test>',
    'Received: from mail.sender.test (mail.sender.test [5.45.96.7])',
    `\tby mx.example.net with ESMTPS id 4cJx; ${time}`,
    '',
  ].join('\r\n')
}
