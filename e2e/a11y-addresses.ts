import type { ApiSession } from './api-session.ts'
import {
  addresses,
  confirmations,
  sharedAddresses,
  systemAddresses,
} from '../apps/console/src/specified-addresses.ts'

/** Paths of screens that are not in the specification. */
const added = [
  '/subscribers/doi-report',
  '/notifications',
  '/subscribers/address-check?email=ever@gmx.test',
  '/campaigns/frequency-caps',
  '/subscribers/blacklistsmulti',
  '/changelog',
  '/settings/webhooks',
  '/settings/webhooks/edit/1',
  '/settings/webhooks/edit/new',
  '/system/audit-log',
  '/system/permissions',
  '/system/installation',
]

/** Forms of new records, which the other addresses do not cover. */
const creations = [
  '/campaigns/categories/edit/new',
  '/campaigns/edit/new',
  '/messages/edit/new',
  '/recurring/edit/new',
  '/settings/alerts/edit/new',
  '/settings/datasources/edit/new',
  '/settings/domains/edit/new',
  '/settings/mailclasses/edit/new',
  '/settings/pmtemplates/edit/new',
  '/subscribers/dataupload/edit/new',
  '/subscribers/edit/new',
  '/subscribers/segments/edit/new',
  '/subscribers/testsubscribers/edit/new',
  '/subscribers/web-forms/edit/new',
  '/system/agbs/edit/new',
  '/system/guided-tours/edit/new',
  '/system/roles/edit/new',
  '/templates/edit/new',
  '/templates/placeholders/edit/new',
  '/transactionals/edit/new',
  '/users/edit/new',
]

/** All screens of the console, each path once; records have id 1. */
export const screens: readonly string[] = [
  ...addresses.map(([path]) => path),
  ...systemAddresses,
  ...confirmations,
  ...sharedAddresses,
  ...added,
  ...creations,
]

/** Creates the records with id 1 that a fresh installation lacks. */
export async function fillScreens(api: ApiSession): Promise<void> {
  const campaign = await api.post('/emma/campaign/1/copy')
  await api.post('/reportinggroup/', {
    name: 'Autumn',
    campaign_ids: [1, campaign.campagne_id],
  })
  await api.post('/v2/emma/client/1/pmt/', {
    name: 'Thanks',
    process: 'page_thanks',
    lang: 'en',
    body_long: '<h1>Thank you</h1>',
    is_default: true,
  })
  await api.post('/emma/category/', {
    name: 'Occasion',
    values: [{ label: 'Newsletter', color: '#2563eb' }, { label: 'Event' }],
  })
  await api.post('/transactionalcampaign/', {
    name: 'Order confirmation',
    message_id: 1,
    domain_id: 1,
    mailclass_id: 1,
    fromadr: 'orders@northwind.test',
    data_fields: [
      { name: 'order_number', type: 'text', required: true },
      { name: 'items', type: 'list', fields: [{ name: 'title', type: 'text' }] },
    ],
  })
  await api.post('/webform/', {
    name: 'Newsletter',
    member_table_id: 1,
    domain_id: 1,
    fields: [{ column: 'email', required: true }, { column: 'firstname' }],
  })
  await api.post('/emma/webhook/', {
    url: 'https://shop.northwind.test/hooks',
    events: ['mail.hard_bounced', 'member.unsubscribed'],
  })
  await api.post('/motd/', {
    title_en: 'Maintenance tonight',
    title_de: 'Wartung heute Nacht',
    title_es: 'Mantenimiento esta noche',
    body_en: 'From 2 to 3 o’clock.',
    body_de: 'Von 2 bis 3 Uhr.',
    body_es: 'De 2 a 3 horas.',
    startdate: new Date(Date.now() - 3_600_000).toISOString(),
    type: 'info',
    clients: [1],
  })
  const login = await api.post('/emma/smtp/login/', {
    esp: 'smtp',
    name: 'Relay',
    host: 'relay.northwind.test',
  })
  await api.post('/emma/smtp/sendfromid/', {
    esp: 'smtp',
    login_id: login.id,
    from_email: 'hello@northwind.test',
  })
  await api.post('/emma/smtp/replacer/', {
    esp: 'smtp',
    search: '{{ link.unsubscribe }}',
    replace: '%unsub%',
  })
  await api.post('/alert/', {
    name: 'Bounces',
    metric: 'bounce_rate',
    threshold: 2,
    notify_email: 'ops@northwind.test',
  })
  const rows = ['email;firstname', 'ok-one@gmail.test;Ána', 'no-address;Ben', 'ok-two@gmx.test;Zoë']
  const upload = await api.upload(
    '/v2/dataupload/',
    { member_table_id: 1, mode: 'upsert' },
    new TextEncoder().encode(rows.join('\n')),
    'people.csv',
  )
  await api.post(`/dataupload/${upload.id}/start`)
  // The agreement is not confirmed: the notice of it stands on every screen.
  for (const kind of ['agb', 'bav'])
    await api.post(`/v2/${kind}/`, {
      version: '1.0',
      title_en: 'Our terms',
      title_de: 'Unsere Bedingungen',
      title_es: 'Nuestras condiciones',
      html_en: '<h3>1. Scope</h3><p>They apply to <a href="https://northwind.test/">all</a> campaigns.</p>',
      html_de: '<h3>1. Geltung</h3><p>Sie gelten für alle Kampagnen.</p>',
      html_es: '<h3>1. Ámbito</h3><p>Se aplican a todas las campañas.</p>',
      valid_from: '2026-01-01',
      published: true,
    })
  await api.post('/v2/emma/client/1/agb-confirm', { doc_id: 1, name: 'Ann Lee', role: 'CEO' })
  await api.post('/emma/blacklist/1/entry/', { values: ['never@gmail.test', 'ever@gmx.test'] })
}
