import type { EmailChange } from '@emma/core/account/email-change.ts'
import type { Http } from '../http/http.ts'
import { mailLanguage, mailTexts } from './mail-texts.ts'
import { sendLinkMail } from './send-password-link.ts'

/** Sends the confirmation link to the new address, and a notice to the current one. */
export async function sendEmailChange(
  http: Pick<Http, 'config' | 'db' | 'logger'>,
  change: EmailChange,
): Promise<void> {
  const account = `${http.config.publicUrl}/usersettings`
  const language = mailLanguage(change.language)
  const texts = mailTexts[language]
  // The notice comes first: without it no link is sent.
  const notice = texts.email_change_notice
  await sendLinkMail(http, {
    ...change,
    email: change.from,
    language,
    texts: { ...notice, intro: `${notice.intro} ${change.to}` },
    link: `${account}?tab=security`,
  })
  await sendLinkMail(http, {
    ...change,
    email: change.to,
    language,
    texts: texts.email_change_confirmation,
    link: `${account}?email_token=${change.token}`,
  })
}
