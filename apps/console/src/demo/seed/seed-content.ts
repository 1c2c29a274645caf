import { shippedProcessMail } from '@emma/contract/process-mails/shipped-process-mail.ts'
import type { DemoMotd, DemoPlaceholder, DemoPmt, DemoTemplate } from '../demo-records.ts'
import { daysBack } from './random.ts'
import { common, firstKey, type Seeding } from './seeding.ts'
import type { DemoTexts } from './demo-texts.ts'
import type { DemoMail } from './demo-texts.ts'

/** One template per campaign, in the order of the campaigns. */
export function seedTemplates({ texts, now, person }: Seeding, lang: DemoTemplate['lang']): DemoTemplate[] {
  return texts.mails.map((mail, at) => {
    const shop = `https://www.${texts.domain}`
    const page = `${shop}/${at + 1}`
    const urls = [page, shop, `${shop}/map`].map((url, index) => ({
      link_index: index,
      name: [mail.button, texts.brand, texts.placeholders.social][index] ?? '',
      url,
      is_active: true,
    }))
    return {
      ...common(daysBack(now, 3 + at * 4), person.id),
      message_id: firstKey + at,
      name: mail.name,
      subject: mail.subject,
      preheader: mail.text.slice(0, 80),
      message_type: 'multipart',
      template_type: 'email',
      is_template: at < 4,
      body_long: htmlOf(texts, mail, page),
      body_mjml: null,
      body_text: `${mail.text}\n\n${mail.button}: ${page}\n\n${texts.imprint}\n${texts.unsubscribe}: {{ link.unsubscribe }}\n`,
      lang,
      charset: 'utf-8',
      languages: [],
      attachments: [],
      is_tracked: true,
      urls,
      warnings: [],
      category: null,
      collection: null,
      screenshot: null,
      bee_json: null,
      user_id: person.id,
      user: { id: person.id, firstname: person.firstname, lastname: person.lastname },
    }
  })
}

function htmlOf(texts: DemoTexts, mail: DemoMail, page: string): string {
  return `<!doctype html>
<html>
<head><meta charset="utf-8"><title>${mail.subject}</title></head>
<body style="margin:0;background:#eef2ee;color:#22312a;font-family:Helvetica,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="max-width:560px;width:100%;background:#ffffff;border-radius:12px">
<tr><td style="padding:20px 40px;background:#2f6b4f;border-radius:12px 12px 0 0;color:#ffffff;font-weight:bold">${texts.brand}</td></tr>
<tr><td style="padding:40px">
<h1 style="margin:0 0 16px;font-size:28px;line-height:1.25">${mail.subject}</h1>
<p style="font-size:16px;line-height:1.6">{{ module.greeting }}</p>
<p style="font-size:16px;line-height:1.6">${mail.text}</p>
<p style="padding:12px 0"><a href="${page}" style="background:#2f6b4f;color:#ffffff;padding:14px 28px;border-radius:6px;text-decoration:none">${mail.button}</a></p>
<p style="font-size:16px;line-height:1.6">{{ module.social }}</p>
</td></tr>
<tr><td style="padding:0 40px 32px;font-size:13px;color:#5b6b62">
<p>{{ module.imprint }}</p>
<p><a href="{{ link.browser }}" style="color:#5b6b62">${texts.browser}</a> · <a href="{{ link.unsubscribe }}" style="color:#5b6b62">${texts.unsubscribe}</a></p>
</td></tr></table></td></tr></table>
</body>
</html>
`
}

export function seedPlaceholders({ texts, now }: Seeding, lang: DemoTemplate['lang']): DemoPlaceholder[] {
  const { imprint, greeting, greetingText, social, socialText } = texts.placeholders
  const modules = [
    { name: imprint, token: 'imprint', text: texts.imprint },
    { name: greeting, token: 'greeting', text: greetingText },
    { name: social, token: 'social', text: socialText },
  ]
  return modules.map(({ name, token, text }, at) => ({
    ...common(daysBack(now, 500 - at)),
    module_id: firstKey + at,
    name,
    token,
    type: 'text',
    body: { [lang]: text },
    is_mandatory: token === 'imprint',
    feed_url: null,
    feed_header: null,
    feed_scope: 'campaign',
    feed_secret: null,
    feed_secret_set: false,
    feed_max: 5,
    feed_only_new: false,
    feed_if_empty: 'send',
  }))
}

/** Id of the only message of the day (R312). */
const demoMotdId = 143

/** With texts in all languages, as every message of the day. */
export function seedMotds({ now, person }: Seeding): DemoMotd[] {
  return [
    {
      ...common(daysBack(now, 2), person.id),
      id: demoMotdId,
      title_en: 'Welcome to the demo',
      title_de: 'Willkommen in der Demo',
      title_es: 'Bienvenido a la demo',
      body_en:
        'Look around and try things out: start, pause and stop campaigns, write templates, read reports.',
      body_de:
        'Sehen Sie sich um und probieren Sie alles aus: Kampagnen starten, anhalten und beenden, Vorlagen schreiben, Berichte lesen.',
      body_es:
        'Mire a su alrededor y pruebe: inicie, pause y detenga campañas, escriba plantillas, lea informes.',
      startdate: daysBack(now, 2).toISOString(),
      enddate: null,
      type: 'info',
      modal_size: null,
      clients: [],
      roles: [],
      show_at_login: false,
      state: 'active',
    },
  ]
}

/** The client's own welcome mail; the other processes use the shipped texts. */
export function seedPmts({ now, person }: Seeding, lang: DemoPmt['lang']): DemoPmt[] {
  return [
    {
      ...common(daysBack(now, 20), person.id),
      ...shippedProcessMail('welcome', lang),
      pmt_id: firstKey,
      domain_id: firstKey,
      is_default: true,
      active: true,
    },
  ]
}
