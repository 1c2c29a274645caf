import type { EmailChange } from '@emma/core/account/email-change.ts'
import type { Http } from '../http/http.ts'
import { confirmWords, noticeWords } from './email-change-words.ts'
import { sendLinkMail } from './send-password-link.ts'

/** Mails the link that confirms a new address to that address, and a notice to the address so far. */
export async function sendEmailChange(
  http: Pick<Http, 'config' | 'db' | 'logger'>,
  change: EmailChange,
): Promise<void> {
  const account = `${http.config.publicUrl}/usersettings`
  const language = change.language === 'de' || change.language === 'es' ? change.language : 'en'
  // The notice first: without it nobody gets a link.
  const notice = noticeWords[language]
  await sendLinkMail(http, {
    ...change,
    email: change.from,
    words: { ...notice, intro: `${notice.intro} ${change.to}` },
    link: `${account}?tab=security`,
  })
  await sendLinkMail(http, {
    ...change,
    email: change.to,
    words: confirmWords[language],
    link: `${account}?email_token=${change.token}`,
  })
}
