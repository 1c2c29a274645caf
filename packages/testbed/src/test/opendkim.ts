import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDebianProgram } from './debian.ts'

const program = findDebianProgram('opendkim', '/usr/sbin/opendkim')

/** True if opendkim is available; Debian's supports RSA and Ed25519. */
export const hasOpendkim = program !== null

/**
 * Verifies each signature of a message with opendkim, which also requires the fields of RFC 5322.
 * @param records TXT records, name → text
 * @returns one line per signature: `pass sender.test rsa-sha256`
 */
export function opendkimVerdicts(raw: Buffer, records: Readonly<Record<string, string>>): string[] {
  if (program === null) throw new Error('There is no opendkim.')
  const folder = mkdtempSync(join(tmpdir(), 'emma-opendkim-'))
  try {
    const keys = join(folder, 'keys')
    const settings = join(folder, 'opendkim.conf')
    const mail = join(folder, 'mail.eml')
    const published = Object.entries(records).filter(([name]) => name.includes('._domainkey.'))
    writeFileSync(keys, published.map(([name, text]) => `${name} ${text}\n`).join(''))
    writeFileSync(settings, `TestPublicKeys ${keys}\n`)
    writeFileSync(mail, raw)
    const { stdout } = spawnSync(...program(['-x', settings, '-vv', '-r', '-t', mail]), { encoding: 'utf8' })
    const found = stdout.matchAll(/dkim=(\w+).*?header\.d=(\S+).*?header\.a=([\w-]+)/g)
    return [...found].map(([, result, domain, algorithm]) => `${result} ${domain} ${algorithm}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
