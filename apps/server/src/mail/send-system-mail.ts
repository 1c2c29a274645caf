import { EmmaError } from '@emma/contract/errors.ts'
import { openSecret } from '@emma/core/deliverability/secret-box.ts'
import { readSettingSecret, readSystemSettings } from '@emma/core/platform/system-settings.ts'
import type { Sql } from '@emma/db/connection.ts'
import { createTransport } from 'nodemailer'
import type { Http } from '../http/http.ts'

/** A mail of the house itself: to somebody who works here. */
export interface SystemMail {
  to: string
  subject: string
  text: string
  html: string
}

/** Takes what the testbed would refuse, so that no link is lost while real delivery is off. */
const testbedMailbox = 'people@example-shop.test'

/** Milliseconds for each step of the dialogue. */
const patience = 15_000

/**
 * Sends a mail of the house over the configured SMTP server; into the testbed as long as that is switched off. Throws
 * what the server or the network says.
 */
export async function sendSystemMail(http: Pick<Http, 'config' | 'sql'>, mail: SystemMail): Promise<void> {
  const { transport, from, isTestbed } = await openTransport(http)
  const message = {
    ...mail,
    from: { name: 'EMMA', address: from },
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
  try {
    await transport.sendMail(message).catch((error: unknown) => {
      if (!isTestbed) throw error
      // The testbed plays certain domains only: mail to others lies in one mailbox, under its own name.
      return transport.sendMail({ ...message, envelope: { from, to: testbedMailbox } })
    })
  } finally {
    transport.close()
  }
}

/** The same in words, for who sets it up. Throws `wrong_state` with the server's reply. */
export async function tryMail(http: Pick<Http, 'config' | 'sql'>, mail: SystemMail): Promise<void> {
  try {
    await sendSystemMail(http, mail)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new EmmaError('wrong_state', `The mail could not be sent: ${reason.slice(0, 300)}`)
  }
}

async function openTransport({ config, sql }: Pick<Http, 'config' | 'sql'>) {
  const { mail } = await readSystemSettings(sql)
  const from = mail.from ?? `no-reply@${new URL(config.publicUrl).hostname}`
  const waits = { connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience }
  if (!mail.is_enabled || mail.host === null) {
    const testbed = { host: '127.0.0.1', port: config.testbedSmtpPort, secure: false, ignoreTLS: true }
    return { from, isTestbed: true, transport: createTransport({ ...testbed, ...waits }) }
  }
  const secrets = config.deriveKey('secrets at rest')
  const password = await readSettingSecret(sql, secrets, 'mail')
  const dkim = await readSignature(sql, secrets, from)
  const auth = mail.username === null ? {} : { auth: { user: mail.username, pass: password ?? '' } }
  return {
    from,
    isTestbed: false,
    transport: createTransport({
      host: mail.host,
      port: mail.port,
      secure: mail.tls === 'tls',
      requireTLS: mail.tls === 'starttls',
      ignoreTLS: mail.tls === 'none',
      ...auth,
      ...waits,
      ...(dkim === null ? {} : { dkim }),
    }),
  }
}

/**
 * The key of the sender's domain, when that is one of the house: with a DMARC policy there, receivers refuse what is not
 * signed. nodemailer signs with RSA alone.
 */
async function readSignature(sql: Sql, secrets: Buffer, from: string) {
  const domainName = from.slice(from.lastIndexOf('@') + 1).toLowerCase()
  const found = await sql
    .selectFrom('dkim_key as k')
    .innerJoin('domain as d', join =>
      join.onRef('d.client_id', '=', 'k.client_id').onRef('d.domain_id', '=', 'k.domain_id'),
    )
    .select(['k.selector', 'k.private_key'])
    .where('d.name', '=', domainName)
    .where('d.status', '=', 'verified')
    .where('d.deleted_at', 'is', null)
    .where('k.algorithm', '=', 'rsa')
    .where('k.active', '=', true)
    .orderBy('k.domain_id')
    .orderBy('k.selector')
    .limit(1)
    .executeTakeFirst()
  if (!found) return null
  return { domainName, keySelector: found.selector, privateKey: openSecret(secrets, found.private_key) }
}
