import type { ResetRequest } from '@emma/core/account/password-reset.ts'
import { createTransport } from 'nodemailer'
import type { Http } from '../http/http.ts'

/**
 * Mails the link for a new password, over the testbed's SMTP as long as real delivery is off. The link goes to the
 * configured address of the console, never to the host of the request: that one is the asker's to choose.
 */
export async function sendPasswordReset(
  { config }: Http,
  { email, firstname, token }: ResetRequest,
): Promise<void> {
  const link = `${config.publicUrl}/password-reset?token=${token}`
  const transport = createTransport({
    host: '127.0.0.1',
    port: config.testbedSmtpPort,
    secure: false,
    ignoreTLS: true,
  })
  await transport.sendMail({
    from: `EMMA <no-reply@${new URL(config.publicUrl).hostname}>`,
    to: email,
    subject: 'Your new password for EMMA',
    text: `Hello ${firstname},\n\nthis link lets you choose a new password. It works once, for 60 minutes:\n\n${link}\n\nIf you did not ask for it, do nothing.\n`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
}
