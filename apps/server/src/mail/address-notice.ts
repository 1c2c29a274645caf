import type { user } from '@emma/contract/resources/user.ts'
import { languageOfAccount } from '@emma/core/account/password-reset.ts'
import { patchUser, userOperations } from '@emma/core/platform/user-operations.ts'
import type { Operations } from '@emma/core/resource/operations.ts'
import type { Http } from '../http/http.ts'
import { mailLanguage, mailTexts } from './mail-texts.ts'
import { isSystemMailOn, sendSystemMail } from './send-system-mail.ts'

type Mailer = Pick<Http, 'config' | 'db' | 'logger'>

/**
 * User operations that notify the former address when another user changes it. The change does not wait for the
 * email.
 */
export function noticedUserOperations(http: Mailer): Operations<typeof user> {
  return {
    ...userOperations,
    async patch(db, actor, scope, id, input, options) {
      const { record, formerEmail } = await patchUser(db, actor, scope, id, input, options)
      if (formerEmail !== null)
        void sendAddressNotice(http, id, formerEmail).catch((error: unknown) =>
          http.logger.error({ err: error }, 'the notice to a former email address could not be sent'),
        )
      return record
    },
  }
}

/** The address may be a stranger's, if a typo was corrected: the notice names neither person nor account. */
async function sendAddressNotice(http: Mailer, userId: number, to: string): Promise<void> {
  if (!(await isSystemMailOn(http.db))) return
  const language = mailLanguage(await languageOfAccount(http.db, userId))
  const { subject, hello, intro, outro } = mailTexts[language].email_changed
  const paragraphs = [hello, intro, outro]
  await sendSystemMail(http, {
    to,
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:24px;background:#f4f4f5;font:16px/1.5 system-ui,sans-serif;color:#18181b">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border-radius:12px">
${paragraphs.map(text => `<p style="margin:0 0 16px">${text}</p>`).join('\n')}
</div></body></html>`,
  })
}
