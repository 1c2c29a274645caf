import { EmmaError } from '@emma/contract/errors.ts'
import { findSigningKey } from '@emma/core/deliverability/signing-key.ts'
import { openSecret } from '@emma/core/deliverability/secret-box.ts'
import {
  type MailSettings,
  readSettingSecret,
  readSystemSettings,
} from '@emma/core/platform/system-settings.ts'
import type { Db } from '@emma/db/connection.ts'
import { systemMailHeader } from '@emma/mail/system-mail.ts'
import { createTransport } from 'nodemailer'
import type { Http } from '../http/http.ts'
import { fault } from '@emma/contract/faults.ts'

/** An email of the installation to one of its users. */
export interface SystemMail {
  to: string
  subject: string
  text: string
  html: string
}

/** Milliseconds per step of the SMTP session. */
const STEP_TIMEOUT_MS = 15_000

/** True if system email is enabled and has a server. */
export async function isSystemMailOn(db: Db): Promise<boolean> {
  const { mail } = await readSystemSettings(db)
  return canSend(mail)
}

/**
 * Sends a system email over the configured SMTP server, signed if the sender's domain is verified here. Throws
 * `mail_off` if system email is disabled: nothing is stored instead. Otherwise throws the error of the server or the
 * network.
 */
export async function sendSystemMail(http: Pick<Http, 'config' | 'db'>, mail: SystemMail): Promise<void> {
  const { transport, from } = await openTransport(http)
  try {
    await transport.sendMail({
      ...mail,
      from: { name: 'EMMA', address: from },
      headers: { 'Auto-Submitted': 'auto-generated', [systemMailHeader]: 'yes' },
    })
  } finally {
    transport.close()
  }
}

/** The same for testing the settings. Throws `wrong_state` with the server's reply. */
export async function tryMail(http: Pick<Http, 'config' | 'db'>, mail: SystemMail): Promise<void> {
  try {
    await sendSystemMail(http, mail)
  } catch (error) {
    if (error instanceof EmmaError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new EmmaError('wrong_state', fault('refusal.mail_reply', { reply: reason.slice(0, 300) }))
  }
}

async function openTransport({ config, db }: Pick<Http, 'config' | 'db'>) {
  const { mail } = await readSystemSettings(db)
  if (!canSend(mail)) throw new EmmaError('mail_off')
  const waits = {
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
  }
  const secrets = config.deriveKey('secrets at rest')
  const password = await readSettingSecret(db, secrets, 'mail')
  const dkim = await readSignature(db, secrets, mail.from)
  const auth = mail.username === null ? {} : { auth: { user: mail.username, pass: password ?? '' } }
  return {
    from: mail.from,
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

/** The verified sending domain that signs for the address; null if there is none. */
export async function signingDomain(db: Db, from: string | null): Promise<string | null> {
  const found = from === null ? undefined : await findSigningKey(db, from)
  return found?.name ?? null
}

/**
 * The signing key of the sender's domain, if it is verified here: with a DMARC policy, receivers reject unsigned
 * messages. nodemailer only signs with RSA.
 */
async function readSignature(db: Db, secrets: Buffer, from: string) {
  const found = await findSigningKey(db, from)
  if (!found) return null
  return {
    domainName: found.name,
    keySelector: found.selector,
    privateKey: openSecret(secrets, found.private_key),
  }
}

type Complete = MailSettings & { host: string; from: string }

function canSend(mail: MailSettings): mail is Complete {
  return mail.is_enabled && mail.host !== null && mail.from !== null
}
