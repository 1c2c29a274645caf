import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDebianProgram } from './debian.ts'

export interface SpamScore {
  score: number
  /** The rules that hit, with what each adds. */
  rules: string
}

const program = findDebianProgram('spamassassin', '/usr/bin/spamassassin')

/** Whether there is a SpamAssassin to ask. */
export const hasSpamAssassin = program !== null

/** Rules that see how a mail came, or that it came from a mailing list, must not make up for its content. */
const PREFERENCES = `use_bayes 0
score MAILING_LIST_MULTI 0
`

/**
 * What SpamAssassin's local tests give each mail, as received from a server with a name of its own.
 *
 * @returns in the order of the mails
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

/** What the receiving server puts before a mail that comes in now: rules compare its time with Date. */
function receivedNow(): string {
  const time = new Date().toUTCString().replace('GMT', '+0000')
  return [
    'Return-Path: <b-tok@bounce.sender.test>',
    'Received: from mail.sender.test (mail.sender.test [5.45.96.7])',
    `\tby mx.example.net with ESMTPS id 4cJx; ${time}`,
    '',
  ].join('\r\n')
}
