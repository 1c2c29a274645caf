import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resources } from '@emma/contract/resource-list.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import type { Fields } from '@emma/core/resource/operations.ts'
import { uploadFolder } from '../upload-folder.ts'
import type { TestApp } from './app.ts'

/** A client with one record of every resource: keys by resource name. */
export interface TestClient {
  clientId: number
  ids: Record<string, number>
}

/** Resources whose records are not created by POST to their own path. */
const madeElsewhere: Record<string, (app: TestApp, own: TestClient) => Promise<number>> = {
  async dataupload({ db, config }, { clientId, ids }) {
    const file = `people-${clientId}.csv`
    mkdirSync(uploadFolder(config), { recursive: true })
    writeFileSync(join(uploadFolder(config), file), 'email,firstname\nann@example.test,Ann\n')
    const { id } = await db
      .insertInto('data_upload')
      .values({
        client_id: clientId,
        member_table_id: ids.membertable ?? null,
        filename: file,
        file,
        status: 1,
        delimiter: ',',
        charset: 'utf-8',
        header: JSON.stringify(['email', 'firstname']),
        sample: JSON.stringify([['ann@example.test', 'Ann']]),
        formats: JSON.stringify([
          { data_type: 'string', date_order: null, decimal_sign: null },
          { data_type: 'string', date_order: null, decimal_sign: null },
        ]),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
}

export function isMadeByPost(resource: Resource): boolean {
  return !(resource.name in madeElsewhere)
}

let made = 0

/** Returns a unique body for POST. */
export function sampleOf(resource: string, { clientId, ids }: TestClient): Fields {
  made += 1
  const letters = String(made).replaceAll(/\d/g, digit => 'abcdefghij'.charAt(Number(digit)))
  const name = `Sample ${made}`
  switch (resource) {
    case 'agb':
    case 'bav':
      return {
        version: name,
        ...Object.fromEntries(
          ['en', 'de', 'es'].flatMap(lang => [
            [`title_${lang}`, name],
            [`html_${lang}`, '<p>Hello</p>'],
          ]),
        ),
        valid_from: '2030-01-01',
      }
    case 'list':
      return { name, member_table_id: ids.membertable }
    case 'campaign':
      return {
        name,
        list_id: ids.list,
        message_id: ids.message,
        domain_id: ids.domain,
        mailclass_id: ids.mailclass,
      }
    case 'beeplugin_row':
      return { name, row_json: { columns: [{ modules: [] }] } }
    case 'category':
      return { name, values: [{ label: 'Newsletter' }] }
    case 'campaigncomment':
      return { campagne_id: ids.campaign, text: `Comment ${made}` }
    case 'campaignpreset':
      return { name, values: { throttle: 100, list_id: ids.list } }
    case 'capping':
      return { name, max_mails: 3, period_hours: 24 }
    case 'esp_login':
      return { name, esp: 'brevo' }
    case 'esp_sendfromid':
      return { esp: 'brevo', login_id: ids.esp_login, from_email: `sender${made}@example.test` }
    case 'esp_replacer':
      return { esp: 'brevo', search: `token${made}`, order: made }
    case 'client':
      return { name, contact_email: 'office@example.test', language: 'en', timezone: 'Europe/Berlin' }
    case 'dashboard':
      // A private one is visible to its owner only.
      return { name, is_public: true }
    case 'dataupload':
      return { mode: 'upsert' }
    case 'domain':
      return { name: `${letters}.test` }
    case 'guided_tour':
      return { name, path: '/campaigns/archive' }
    case 'imap_setting':
      return { provider: name, host: 'imap.example.com' }
    case 'alert':
      return { name, metric: 'bounce_rate', threshold: 5, notify_email: 'team@example.test' }
    case 'imap_login':
      return {
        email: `seed${made}@example.test`,
        setting_id: ids.imap_setting,
        username: `seed${made}`,
        password: 'secret',
      }
    case 'ipci':
      return {
        name,
        login_ids: [ids.imap_login],
        message_id: ids.message,
        domain_id: ids.domain,
        mailclass_id: ids.mailclass,
      }
    case 'motd':
      return {
        ...Object.fromEntries(
          ['en', 'de', 'es'].flatMap(lang => [
            [`title_${lang}`, name],
            [`body_${lang}`, 'Hello'],
          ]),
        ),
        startdate: '2030-01-01T08:00:00Z',
        type: 'info',
        clients: [clientId],
      }
    case 'mailclass':
      return { name: `class_${letters}` }
    case 'placeholder':
      return { name, token: `token_${letters}`, body: { en: 'Hello' } }
    case 'pmt':
      return { name, process: 'page_thanks', lang: 'en', body_long: '<p>Thank you</p>' }
    case 'webform':
      return {
        name,
        member_table_id: ids.membertable,
        domain_id: ids.domain,
        fields: [{ column: 'email', required: true }],
      }
    case 'recurring':
      return {
        name,
        list_id: ids.list,
        message_id: ids.message,
        domain_id: ids.domain,
        mailclass_id: ids.mailclass,
        fromadr: 'news@example.test',
        schedule: { rrule: 'FREQ=DAILY', tz: 'Europe/Berlin', start: '2030-01-01', time: '09:00' },
      }
    case 'role':
      return { name, permissions: ['EmmaCampaign:get'] }
    case 'testaddress':
      return { email: `test${made}@example.test` }
    case 'transactionalcampaign':
      return {
        name,
        slug: `sample-${letters}`,
        domain_id: ids.domain,
        mailclass_id: ids.mailclass,
        message_id: ids.message,
        fromadr: 'orders@example.test',
        data_fields: [{ name: 'number', type: 'text', required: true }],
      }
    case 'user':
      return {
        username: `sample${made}`,
        email: `sample${made}@example.test`,
        firstname: 'Sam',
        lastname: 'Sample',
        roles: [ids.role],
        clients: [clientId],
      }
    case 'webhook':
      return { url: `https://hooks.example.com/${letters}`, events: ['mail.hard_bounced'] }
    default:
      return { name }
  }
}

/** Ordered by dependency. */
const first = [
  'membertable',
  'list',
  'message',
  'domain',
  'mailclass',
  'esp_login',
  'imap_setting',
  'imap_login',
]
const inOrder = [
  ...first.flatMap(name => resources.filter(resource => resource.name === name)),
  ...resources.filter(resource => !first.includes(resource.name)),
]

/** Creates a client with one record of every resource, over the API. */
export async function addTestClient(app: TestApp, superadmin: string): Promise<TestClient> {
  const made = await app.call('POST', '/emma/client/', {
    token: superadmin,
    body: sampleOf('client', { clientId: 0, ids: {} }),
  })
  const clientId = Number(made.json.client_id)
  const client: TestClient = { clientId, ids: { client: clientId } }
  for (const resource of inOrder) {
    if (resource.name === 'client') continue
    const elsewhere = madeElsewhere[resource.name]
    client.ids[resource.name] = elsewhere
      ? await elsewhere(app, client)
      : await addRecord(app, superadmin, resource, client)
  }
  return client
}

/** Creates one more record; returns its key. */
export async function addRecord(
  app: TestApp,
  token: string,
  resource: Resource,
  client: TestClient,
): Promise<number> {
  const [path] = resource.paths
  const answer = await app.call('POST', path.replace('{client_id}', String(client.clientId)), {
    token,
    body: { ...sampleOf(resource.name, client), ...(resource.tenant ? { client_id: client.clientId } : {}) },
  })
  if (answer.status !== 201) throw new Error(`${resource.name} was not made: ${answer.text}`)
  return Number(answer.json[resource.key])
}
