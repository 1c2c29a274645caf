import * as settings from '@emma/contract/actions/system-settings.ts'
import { readProfile } from '@emma/core/account/own-account.ts'
import { fieldError, invalid } from '@emma/contract/errors.ts'
import { revokeProviderSessions } from '@emma/core/account/sessions.ts'
import {
  assertMembership,
  readSystemSettings,
  saveSettingWithSecret,
  saveSystemSetting,
} from '@emma/core/platform/system-settings.ts'
import { signingDomain, tryMail } from '../../mail/send-system-mail.ts'
import { redirectUrl, tryProvider } from '../../provider/sign-in-provider.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'

/** Mounts the settings of system mail, sign-in providers, the writing service, SMS, Beefree, feedback loops and audit log retention. */
export function mountSystemSettingsActions(http: Http): void {
  const { config, db } = http
  const key = config.deriveKey('secrets at rest')

  const present = async () => {
    const { mail, sign_in, writing, sms, hasSecret, ...stored } = await readSystemSettings(db)
    const { beefree, beefree_export, audit_days, feedback_loops, real_delivery } = stored
    return {
      mail: {
        ...mail,
        password_set: hasSecret.mail,
        signed_by: await signingDomain(db, mail.from),
      },
      sign_in: { ...sign_in, secret_set: hasSecret.sign_in, redirect_url: redirectUrl(http) },
      writing: { ...writing, key_set: hasSecret.writing },
      sms: { ...sms, key_set: hasSecret.sms },
      beefree: { ...beefree, secret_set: hasSecret.beefree },
      beefree_export: { ...beefree_export, key_set: hasSecret.beefree_export },
      audit_days,
      feedback_loops: { senders: [...feedback_loops.senders] },
      real_delivery,
    }
  }

  mountAction(http, settings.readSystemSettings, present)

  mountAction(http, settings.saveMailSettings, async ({ actor, body }) => {
    const { password, ...mail } = body
    const needed = mail.is_enabled ? (['from', 'host'] as const) : []
    const missing = needed.filter(field => mail[field] === null)
    if (missing.length > 0) throw invalid(missing.map(field => fieldError(field, 'field.required')))
    await saveSettingWithSecret(db, actor, 'mail', mail, { key, field: 'password', text: password })
    return present()
  })

  mountAction(http, settings.testMailSettings, async ({ actor }) => {
    const { email: to } = await readProfile(db, actor, Number(actor.userId))
    const text = `This mail shows that EMMA can send mail: ${config.publicUrl}`
    await tryMail(http, { to, subject: 'Mail of EMMA', text, html: `<p>${text}</p>` })
    return { to }
  })

  mountAction(http, settings.saveSignInSettings, async ({ actor, body }) => {
    const { client_secret: secret, ...signIn } = body
    if ((signIn.role_id === null) !== (signIn.tenant_id === null))
      throw invalid([fieldError(signIn.role_id === null ? 'role_id' : 'tenant_id', 'field.required')])
    await assertMembership(db, signIn)
    await tryProvider(http, signIn)
    const { sign_in: before } = await readSystemSettings(db)
    await saveSettingWithSecret(db, actor, 'sign_in', signIn, { key, field: 'client_secret', text: secret })
    // A changed provider configuration invalidates pending sign-ins.
    const isSame =
      signIn.is_enabled && signIn.issuer === before.issuer && signIn.client_id === before.client_id
    const isAsTrusted = signIn.trusts_second_factor || !before.trusts_second_factor
    if (before.is_enabled && !(isSame && isAsTrusted)) await revokeProviderSessions(db)
    return present()
  })

  mountAction(http, settings.saveWritingSettings, async ({ actor, body }) => {
    const { api_key: text, ...writing } = body
    const needed = writing.is_enabled ? (['url', 'model'] as const) : []
    const missing = needed.filter(field => writing[field] === null)
    if (missing.length > 0) throw invalid(missing.map(field => fieldError(field, 'field.required')))
    // The key is not sent in clear text over the internet.
    if (writing.url?.startsWith('http:') && !config.allowPrivateWriting)
      throw invalid([fieldError('url', 'field.url')])
    await saveSettingWithSecret(db, actor, 'writing', writing, { key, field: 'api_key', text })
    return present()
  })

  /** Secrets are not sent in clear text over the internet. */
  const assertSafe = (url: string) => {
    if (url.startsWith('http:') && !config.webhookLoopback) throw invalid([fieldError('url', 'field.url')])
  }

  mountAction(http, settings.saveSmsSettings, async ({ actor, body }) => {
    const { api_key: text, ...sms } = body
    if (sms.is_enabled && sms.url === null) throw invalid([fieldError('url', 'field.required')])
    if (sms.url !== null) assertSafe(sms.url)
    await saveSettingWithSecret(db, actor, 'sms', sms, { key, field: 'api_key', text })
    return present()
  })

  mountAction(http, settings.saveBeefreeSettings, async ({ actor, body }) => {
    const { client_secret: text, ...beefree } = body
    if (beefree.is_enabled && beefree.client_id === null)
      throw invalid([fieldError('client_id', 'field.required')])
    const { hasSecret } = await readSystemSettings(db)
    if (beefree.is_enabled && !text && !hasSecret.beefree)
      throw invalid([fieldError('client_secret', 'field.required')])
    assertSafe(beefree.url)
    await saveSettingWithSecret(db, actor, 'beefree', beefree, { key, field: 'client_secret', text })
    return present()
  })

  mountAction(http, settings.saveBeefreeExport, async ({ actor, body }) => {
    const { api_key: text, ...service } = body
    if (service.url !== null) assertSafe(service.url)
    await saveSettingWithSecret(db, actor, 'beefree_export', service, { key, field: 'api_key', text })
    return present()
  })

  mountAction(http, settings.saveAuditSettings, async ({ actor, body }) => {
    await saveSystemSetting(db, actor, 'audit_days', body.audit_days)
    return present()
  })

  mountAction(http, settings.saveFeedbackLoops, async ({ actor, body }) => {
    await saveSystemSetting(db, actor, 'feedback_loops', { senders: [...new Set(body.senders)] })
    return present()
  })

  mountAction(http, settings.saveRealDelivery, async ({ actor, body }) => {
    await saveSystemSetting(db, actor, 'real_delivery', body.real_delivery)
    return present()
  })
}
