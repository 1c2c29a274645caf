import type { PasswordLink } from '@emma/core/account/password-reset.ts'
import type { Http } from '../http/http.ts'
import { escapeHtml } from '../tracking/escape-html.ts'
import { sendSystemMail } from './send-system-mail.ts'
import { type MailWords, invitationWords, resetWords } from './password-words.ts'

/**
 * Mails the link for a new password, or the invitation, in the person's language. The link goes to the configured address
 * of the console, never to the host of the request: that one is the asker's to choose.
 */
export async function sendPasswordLink(
  http: Pick<Http, 'config' | 'db'>,
  person: PasswordLink,
): Promise<void> {
  const link = passwordUrl(http.config, person)
  const all = person.isInvitation ? invitationWords : resetWords
  const words = all[person.language === 'de' || person.language === 'es' ? person.language : 'en']
  await sendLinkMail(http, { ...person, words, link })
}

/** A mail about the person's account, with one link. */
export interface LinkMail {
  email: string
  username: string
  firstname: string
  words: MailWords
  link: string
}

export async function sendLinkMail(
  http: Pick<Http, 'config' | 'db'>,
  { email, username, firstname, words, link }: LinkMail,
): Promise<void> {
  const greeting = firstname === '' ? words.hello : `${words.hello} ${firstname}`
  await sendSystemMail(http, {
    to: email,
    subject: words.subject,
    text: asText(words, greeting, link, username),
    html: asHtml(words, greeting, link, username),
  })
}

/** The page of the console where the link's token sets a password. */
export function passwordUrl(
  { publicUrl }: Pick<Http['config'], 'publicUrl'>,
  { token, isInvitation }: Pick<PasswordLink, 'token' | 'isInvitation'>,
): string {
  return `${publicUrl}/password-reset?token=${token}${isInvitation ? '&invited=1' : ''}`
}

function asText(words: MailWords, greeting: string, link: string, username: string): string {
  return `${greeting},\n\n${words.intro}\n\n${link}\n\n${words.username}: ${username}\n\n${words.outro}\n`
}

function asHtml(words: MailWords, greeting: string, link: string, username: string): string {
  const [href, hello, name, intro] = [link, greeting, username, words.intro].map(escapeHtml)
  return `<!doctype html>
<html lang="${words.lang}"><head><meta charset="utf-8"><title>${words.subject}</title></head>
<body style="margin:0;padding:24px;background:#f4f4f5;font:16px/1.5 system-ui,sans-serif;color:#18181b">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border-radius:12px">
<p style="margin:0 0 16px">${hello},</p>
<p style="margin:0 0 24px">${intro}</p>
<p style="margin:0 0 24px"><a href="${href}" style="display:inline-block;padding:12px 24px;background:#b45309;color:#fff;border-radius:8px;text-decoration:none;font-weight:600">${words.button}</a></p>
<p style="margin:0 0 16px">${words.username}: <strong>${name}</strong></p>
<p style="margin:0 0 16px;color:#52525b;font-size:14px">${words.outro}</p>
<p style="margin:0;color:#52525b;font-size:13px;word-break:break-all">${href}</p>
</div></body></html>`
}
