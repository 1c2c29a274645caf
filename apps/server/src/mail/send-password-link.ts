import type { PasswordLink } from '@emma/core/account/password-reset.ts'
import type { Http } from '../http/http.ts'
import { escapeHtml } from '../tracking/escape-html.ts'
import { sendSystemMail } from './send-system-mail.ts'
import { type LinkMailTexts, mailLanguage, mailTexts } from './mail-texts.ts'

/**
 * Sends the link for a new password, or the invitation, in the user's language. The link uses the configured URL of
 * the console, never the host of the request, which the caller can forge.
 */
export async function sendPasswordLink(
  http: Pick<Http, 'config' | 'db'>,
  person: PasswordLink,
): Promise<void> {
  const link = passwordUrl(http.config, person)
  const language = mailLanguage(person.language)
  const texts = mailTexts[language][person.isInvitation ? 'invitation' : 'password_reset']
  await sendLinkMail(http, { ...person, language, texts, link })
}

/** An email about the user's account, with one link. */
export interface LinkMail {
  email: string
  username: string
  firstname: string
  language: string
  texts: LinkMailTexts
  link: string
}

export async function sendLinkMail(
  http: Pick<Http, 'config' | 'db'>,
  { email, username, firstname, language, texts, link }: LinkMail,
): Promise<void> {
  const greeting = firstname === '' ? texts.hello : texts.hello_name.replace('{name}', () => firstname)
  await sendSystemMail(http, {
    to: email,
    subject: texts.subject,
    text: asText(texts, greeting, link, username),
    html: asHtml(language, texts, greeting, link, username),
  })
}

/** Returns the page of the console where the link's token sets a password. */
export function passwordUrl(
  { publicUrl }: Pick<Http['config'], 'publicUrl'>,
  { token, isInvitation }: Pick<PasswordLink, 'token' | 'isInvitation'>,
): string {
  return `${publicUrl}/password-reset?token=${token}${isInvitation ? '&invited=1' : ''}`
}

function asText(texts: LinkMailTexts, greeting: string, link: string, username: string): string {
  return `${greeting}\n\n${texts.intro}\n\n${link}\n\n${texts.username}: ${username}\n\n${texts.outro}\n`
}

function asHtml(
  language: string,
  texts: LinkMailTexts,
  greeting: string,
  link: string,
  username: string,
): string {
  const [href, hello, name, intro] = [link, greeting, username, texts.intro].map(escapeHtml)
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${texts.subject}</title></head>
<body style="margin:0;padding:24px;background:#f4f4f5;font:16px/1.5 system-ui,sans-serif;color:#18181b">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border-radius:12px">
<p style="margin:0 0 16px">${hello}</p>
<p style="margin:0 0 24px">${intro}</p>
<p style="margin:0 0 24px"><a href="${href}" style="display:inline-block;padding:12px 24px;background:#b45309;color:#fff;border-radius:8px;text-decoration:none;font-weight:600">${texts.button}</a></p>
<p style="margin:0 0 16px">${texts.username}: <strong>${name}</strong></p>
<p style="margin:0 0 16px;color:#52525b;font-size:14px">${texts.outro}</p>
<p style="margin:0;color:#52525b;font-size:13px;word-break:break-all">${href}</p>
</div></body></html>`
}
