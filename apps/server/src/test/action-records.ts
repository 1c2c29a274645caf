import { learnedTime } from '@emma/contract/learned-time.ts'
import { split } from '@emma/contract/split.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setPassword } from '@emma/core/platform/user-operations.ts'
import { openSession } from '@emma/core/account/sessions.ts'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { uploadFolder } from '../upload-folder.ts'
import { accountPassword } from './action-samples.ts'
import type { TestApp } from './app.ts'
import { resources } from '@emma/contract/resource-list.ts'
import { addRecord, addTestClient } from './fixtures.ts'

/** Keys of a client's records by type: one of everything that an action can refer to. */
export type ActionRecords = Record<string, number | string>

type Maker = (app: TestApp, superadmin: string, records: ActionRecords) => Promise<number | string>

let made = 0

/** Records that are not created by a resource's POST. */
const makers: Record<string, Maker> = {
  async member(app, token, records) {
    made += 1
    const path = `/v2/emma/client/${records.client}/membertable/${records.membertable}/member/`
    const body = { email: `member${made}@example.test`, source: `source of member ${made}` }
    const answer = await app.call('POST', path, { token, body })
    return Number(answer.json.member_id)
  },
  async unsubscribed_member(app, token, records) {
    const id = await makeRecord('member', app, token, records)
    const path = `/v2/emma/client/${records.client}/membertable/${records.membertable}/member/${id}/unsubscribe`
    await app.call('POST', path, { token, body: {} })
    return id
  },
  other_list: (app, token, records) => addResource('list', app, token, records),
  user: (app, token, records) => addResource('user', app, token, records),
  async dataupload(app, _token, records) {
    const { clientId, ids } = await asClient(records)
    const { id } = await app.db
      .insertInto('data_upload')
      .values({
        client_id: clientId,
        member_table_id: ids.membertable ?? null,
        filename: `upload of client ${clientId}.csv`,
        file: `people-${clientId}.csv`,
        error_file: `errors-${clientId}.csv`,
        status: 1,
        delimiter: ',',
        charset: 'utf-8',
        header: JSON.stringify(['email']),
        sample: JSON.stringify([[`uploaded${clientId}@example.test`]]),
        formats: JSON.stringify([{ data_type: 'string', date_order: null, decimal_sign: null }]),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    writeFileSync(
      join(uploadFolder(app.config), `errors-${clientId}.csv`),
      `uploaded${clientId}@example.test\n`,
    )
    return id
  },
  async multi_blacklist(app, _token, { client, blacklist }) {
    const targets = JSON.stringify([{ client_id: client, blacklist_id: blacklist, added: 1, existing: 0 }])
    const { rows } = await sql<{ id: number }>`
      insert into multi_blacklist (client_id, targets, count, reason)
      values (${client}, ${targets}::jsonb, 1, ${`reason of client ${client}`}) returning multi_id as id`.execute(
      app.db,
    )
    return rows[0]?.id ?? 0
  },
  async share(app, token, { dashboard }) {
    const answer = await app.call('POST', `/dashboard/${dashboard}/share`, { token, body: { days: 7 } })
    return Number(answer.json.share_id)
  },
  async notification(app, token, { client }) {
    made += 1
    const body = { text: `notification number ${made}`, client_id: client }
    const answer = await app.call('POST', '/notification/', { token, body })
    return Number(JSON.parse(answer.text).id)
  },
  async webhook_message(app, _token, { client, webhook }) {
    const events = [
      { id: '1', type: 'mail.opened', timestamp: '2026-01-01T00:00:00Z', data: { of: `client ${client}` } },
    ]
    const { rows } = await sql<{ id: number }>`
      insert into webhook_message (client_id, webhook_id, types, events, event_count, state)
      values (${client}, ${webhook}, '{mail.opened}', ${JSON.stringify(events)}::jsonb, 1, 'delivered')
      returning message_id as id`.execute(app.db)
    return rows[0]?.id ?? 0
  },
  async transactional_mail(app, _token, { client, transactionalcampaign }) {
    made += 1
    const { rows } = await sql<{ id: number }>`
      insert into transactional_mail (client_id, transactional_id, email, data, due_at)
      values (${client}, ${transactionalcampaign}, ${`customer${made}of${client}@example.test`},
        ${JSON.stringify({ number: `order of ${client}` })}::jsonb, now() + interval '1 day')
      returning mail_id as id`.execute(app.db)
    return rows[0]?.id ?? 0
  },
  async testcampaign(app, _token, { client, campaign }) {
    const { rows } = await sql<{ id: number }>`
      insert into test_campaign (client_id, campagne_id, emails, sent_at)
      values (${client}, ${campaign}, ${[`tester of ${client}@example.test`]}, now()) returning id`.execute(
      app.db,
    )
    return rows[0]?.id ?? 0
  },
  async test_share(app, token, { client, campaign }) {
    const path = `/v2/emma/client/${client}/campaign/${campaign}/test-history/share`
    const answer = await app.call('POST', path, { token, body: { days: 7 } })
    return Number(answer.json.share_id)
  },
  async report_share(app, token, { campaign }) {
    const path = `/emma/report/${campaign}/salesview/share`
    const answer = await app.call('POST', path, { token, body: { days: 7 } })
    return Number(answer.json.share_id)
  },
  async mta_share(app, token, { campaign }) {
    const answer = await app.call('POST', `/mtastats/${campaign}/share`, { token, body: { days: 7 } })
    return Number(answer.json.share_id)
  },
  async comparison_share(app, token, { reportinggroup }) {
    const path = `/reportinggroup/${reportinggroup}/share`
    const answer = await app.call('POST', path, { token, body: { days: 7 } })
    return Number(answer.json.share_id)
  },
  async ipci_result(app, _token, { client, ipci }) {
    const { rows } = await sql<{ id: number }>`
      select result_id as id from ipci_result where client_id = ${client} and ipci_id = ${ipci}`.execute(
      app.db,
    )
    return rows[0]?.id ?? 0
  },
  async message_version(app, _token, { client, message }) {
    const { rows } = await sql<{ id: number }>`
      select max(version_id) as id from message_version where client_id = ${client} and message_id = ${message}`.execute(
      app.db,
    )
    return rows[0]?.id ?? 0
  },
  async scd_action(app, _token, { client, scd_rule }) {
    const { rows } = await sql<{ id: number }>`
      insert into scd_action (rule_id, action, object, client_id, reply, window_start, hits, acted_at)
      values (${scd_rule}, 'backoff_provider', ${`object of ${client}`}, ${client}, 'Slow down', now(), 1, now())
      returning id`.execute(app.db)
    return rows[0]?.id ?? 0
  },
  async session(app, _token, { user }) {
    const key = app.config.deriveKey('session')
    const token = await openSession(app.db, key, Number(user), { ip: null, userAgent: `browser of ${user}` })
    return String(decodeJwt(token).jti)
  },
  async api_token(app, _token, { user }) {
    made += 1
    const { rows } = await sql<{ id: number }>`
      insert into api_token (user_id, name, prefix, permissions, token_hash, expires_at)
      values (${user}, ${`token number ${made}`}, 'emma_x', '{}', sha256(${String(made)}::bytea), now() + interval '1 day')
      returning id`.execute(app.db)
    return rows[0]?.id ?? 0
  },
  file: (app, _token, { client }) => insertFile(app, Number(client), null),
  deleted_file: (app, _token, { client }) => insertFile(app, Number(client), new Date().toISOString()),
  async document(app, token, { client }) {
    made += 1
    const body = { name: `document number ${made}` }
    const answer = await app.call('POST', `/documents/${client}/sqltemplate`, { token, body })
    return String(answer.json.id)
  },
}

async function insertFile({ db }: TestApp, client: number, deleted_at: string | null): Promise<number> {
  made += 1
  const row = await db
    .insertInto('file')
    .values({
      client_id: client,
      folder: '/',
      name: `file-${made}-of-client-${client}.png`,
      public_name: String(made).padStart(22, 'a'),
      mime_type: 'image/png',
      size: 10,
      alt: `alternative text of client ${client}`,
      deleted_at,
    })
    .returning('file_id')
    .executeTakeFirstOrThrow()
  return row.file_id
}

/** Creates a client with one record of everything, some with a history. */
export async function addActionRecords(app: TestApp, superadmin: string): Promise<ActionRecords> {
  const { clientId, ids } = await addTestClient(app, superadmin)
  const records: ActionRecords = { ...ids }
  for (const name of Object.keys(makers))
    if (name !== 'user') records[name] = await makeRecord(name, app, superadmin, records)
  const { membertable, campaign, member, blacklist, domain } = records
  await sql`update domain set status = 'verified' where domain_id = ${domain}`.execute(app.db)
  const test = JSON.stringify(split.parse({ variants: [{ subject: `Variant of ${clientId}` }] }))
  const learned = JSON.stringify(learnedTime.parse({}))
  await sql`update campaign set split = ${test}::jsonb, learned_time = ${learned}::jsonb where campagne_id = ${campaign}`.execute(
    app.db,
  )
  await app.call('POST', `/emma/blacklist/${blacklist}/entry/`, {
    token: superadmin,
    body: { values: ['suppressed@example.test', `suppressed${clientId}@example.test`] },
  })
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state, recorded_at, reply)
    values (${clientId}, ${campaign}, ${member}, ${`recipient${clientId}@example.test`}, 'sent', now(), ${`250 ok of ${clientId}`})`.execute(
    app.db,
  )
  await sql`
    insert into event (client_id, type, campagne_id, member_table_id, member_id, email)
    values (${clientId}, 'open', ${campaign}, ${membertable}, ${member}, ${`recipient${clientId}@example.test`})`.execute(
    app.db,
  )
  return records
}

/** Creates one more record; returns its key. */
export async function makeRecord(
  name: string,
  app: TestApp,
  superadmin: string,
  records: ActionRecords,
): Promise<number | string> {
  const make = makers[name]
  if (!make) throw new Error(`Nothing makes a ${name}`)
  const id = await make(app, superadmin, records)
  if (!id || Number.isNaN(id)) throw new Error(`No ${name} was made`)
  return id
}

/**
 * Creates a user of the client with all permissions and a known password; returns the caller and the keys of its
 * records.
 */
export async function addCaller(
  app: TestApp,
  superadmin: string,
  records: ActionRecords,
): Promise<{ token: string; own: ActionRecords }> {
  const { token, userId } = await app.logIn({ clients: [Number(records.client)], administrator: true })
  passwordHash ??= await hashOf(app, userId)
  await app.db.updateTable('app_user').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
  const own = { ...records, user: userId }
  return {
    token,
    own: {
      ...own,
      session: await makeRecord('session', app, superadmin, own),
      api_token: await makeRecord('api_token', app, superadmin, own),
    },
  }
}

/** Hashing is slow by design: once for all. */
let passwordHash: string | null | undefined

async function hashOf(app: TestApp, userId: number): Promise<string | null> {
  await setPassword(app.db, userId, accountPassword)
  const row = await app.db
    .selectFrom('app_user')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.password_hash
}

async function asClient(records: ActionRecords) {
  const ids = Object.fromEntries(Object.entries(records).map(([name, id]) => [name, Number(id)]))
  return { clientId: Number(records.client), ids }
}

async function addResource(
  name: string,
  app: TestApp,
  token: string,
  records: ActionRecords,
): Promise<number> {
  const resource = resources.find(each => each.name === name)
  if (!resource) throw new Error(`There is no resource ${name}`)
  return addRecord(app, token, resource, await asClient(records))
}
