import { split as splitField } from '@emma/contract/split.ts'
import { actions } from '@emma/contract/action-list.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import { resources } from '@emma/contract/resource-list.ts'
import { writableFields } from '@emma/contract/resource-schemas.ts'
import { openSession } from '@emma/core/account/sessions.ts'
import { hash } from '@node-rs/argon2'
import { decodeJwt } from 'jose'
import { generate } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createLogger } from '../logger.ts'
import type { RunningRole } from '../role.ts'
import { start } from '../roles/jobs.ts'
import { startSystemMailServer, type SystemMailServer } from '../test/system-mail.ts'
import { type Answer, startTestApp, type TestApp } from '../test/app.ts'
import { callStorage, pngFile } from '../test/storage.ts'
import { addRecord, addTestClient, isMadeByPost, sampleOf, type TestClient } from '../test/fixtures.ts'

/**
 * Every write is in the audit log: every resource and every writing action of the contract is called successfully
 * here. A new action without a sample fails.
 */

let app: TestApp
let jobs: RunningRole
let password_hash: string
let ours: TestClient
let person: { token: string; userId: number }

beforeAll(async () => {
  password_hash = await hash(password)
  mailServer = await startSystemMailServer()
  app = await startTestApp({ EMMA_TESTBED_SMTP_PORT: String(mailServer.port) })
  await mailServer.use(app.db)
  jobs = await start({ ...app, logger: createLogger('jobs', 'silent') })
  ours = await addTestClient(app, await app.logInSuperadmin())
})
/** Samples change passwords, second factors and sessions: each begins with a new user. */
beforeEach(async () => {
  person = await app.logIn({ clients: [ours.clientId], superadmin: true })
  await app.db.updateTable('app_user').set({ password_hash }).where('id', '=', person.userId).execute()
})
afterAll(async () => {
  await jobs.stop()
  await app.close()
  await mailServer.close()
})

const password = 'a password of their own'

let mailServer: SystemMailServer

interface Entry {
  user_id: number | null
  client_id: number
  object: string
  object_id: number
  action: string
  changes: Record<string, [unknown, unknown]>
}

/** Log entries added while `write` ran. */
async function entriesOf(write: () => Promise<void>): Promise<Entry[]> {
  const last = await app.pool.query('select coalesce(max(id), 0) as id from change_log')
  await write()
  const { rows } = await app.pool.query<Entry>(
    'select user_id, client_id, object, object_id, action, changes from change_log where id > $1 order by id',
    [last.rows[0].id],
  )
  return rows
}

type Method = Parameters<TestApp['call']>[0]

async function call(method: Method, path: string, body?: unknown, headers = {}): Promise<Answer> {
  const sent = Buffer.isBuffer(body) ? { payload: body } : { body }
  const answer = await app.call(method, path, { token: person.token, headers, ...sent })
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer
}

describe.each(resources.map(resource => ({ name: resource.name, resource })))(
  '$name',
  ({ name, resource }) => {
    const list = () => resource.paths[0].replace('{client_id}', String(ours.clientId))
    const sample = () => ({
      ...sampleOf(name, ours),
      ...secretsOf(resource),
      ...(resource.tenant ? { client_id: ours.clientId } : {}),
    })
    const owner = (id: number) => (resource.tenant ? ours.clientId : name === 'client' ? id : 0)

    test.runIf(isMadeByPost(resource))('a new record', async () => {
      const sent = sample()
      let id = 0
      const entries = await entriesOf(async () => {
        id = Number((await call('POST', list(), sent)).json[resource.key])
      })
      expect(entries).toContainEqual(
        expect.objectContaining({
          user_id: person.userId,
          client_id: owner(id),
          object: name,
          object_id: id,
          action: 'create',
        }),
      )
      const { client_id: _client, ...fields } = sent
      const told = changesOf(entries)
      for (const [field, value] of Object.entries(fields)) {
        const change = told[field]?.[1]
        if (isSecret(field)) expect({ field, change }).toEqual({ field, change: undefined })
        else expect({ field, change }).toEqual({ field, change: expect.anything() })
        if (typeof value !== 'string' || typeof change !== 'string') continue
        expect(Date.parse(change) || change).toEqual(Date.parse(value) || value)
      }
    })

    test('a change, with the previous values', async () => {
      const id = isMadeByPost(resource)
        ? await addRecord(app, person.token, resource, ours)
        : Number(ours.ids[name])
      const before = (await call('GET', `${list()}${id}`)).json
      const sent: Record<string, unknown> = { ...sample(), ...changed(name) }
      for (const field of ['client_id', 'clients', 'roles']) delete sent[field]
      const entries = await entriesOf(async () => void (await call('PATCH', `${list()}${id}`, sent)))
      const after = (await call('GET', `${list()}${id}`)).json
      const fields = Object.keys(sent).filter(
        field => !isSecret(field) && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
      )
      expect(fields.length).toBeGreaterThan(0)
      const told = changesOf(entries)
      for (const field of fields)
        expect({ field, change: told[field] }).toEqual({
          field,
          change: [ownColumns(before[field]), ownColumns(after[field])],
        })
      for (const entry of entries)
        expect(entry).toMatchObject({
          user_id: person.userId,
          client_id: owner(id),
          object: name,
          object_id: id,
        })
    })

    test.runIf(isMadeByPost(resource))('a removal', async () => {
      const id = await addRecord(app, person.token, resource, ours)
      const entries = await entriesOf(async () => void (await call('DELETE', `${list()}${id}`)))
      expect(entries).toMatchObject([
        { user_id: person.userId, client_id: owner(id), object: name, object_id: id, action: 'delete' },
      ])
      expect(await entriesOf(async () => void (await call('GET', list())))).toEqual([])
      if (resource.deletedForEver) return
      const back = await entriesOf(async () => void (await call('POST', `${list()}${id}/restore`)))
      expect(back).toMatchObject([
        { user_id: person.userId, client_id: owner(id), object: name, object_id: id, action: 'restore' },
      ])
    })
  },
)

/** The log contains only custom columns of a datasource. */
function ownColumns(value: unknown): unknown {
  const columns = z.array(z.looseObject({ is_fixed: z.boolean() })).safeParse(value)
  return columns.success ? columns.data.filter(column => !column.is_fixed) : value
}

/** Values of fields that the sample does not change, or that need more than the sample. */
function changed(name: string): Record<string, unknown> {
  switch (name) {
    case 'dataupload':
      return { mode: 'insert' }
    case 'membertable':
      return { emmamembertableschema: [{ column_name: 'town', label: 'Town', data_type: 'string' }] }
    case 'esp_sendfromid':
      return { from_name: 'The shop' }
    default:
      return {}
  }
}

const marker = 'SECRET-WORD'

function isSecret(field: string): boolean {
  return /password|secret/.test(field)
}

function secretsOf(resource: Resource): Record<string, unknown> {
  const fields = Object.keys(writableFields(resource)).filter(isSecret)
  return Object.fromEntries(fields.map(field => [field, `${marker}-${field}`]))
}

function changesOf(entries: readonly Entry[]): Entry['changes'] {
  return Object.assign({}, ...entries.map(entry => entry.changes))
}

/** Actions without a user to log: the caller is not authenticated yet, or nothing is stored. */
const withoutPerson = new Set([
  'login',
  'requestReset',
  'resetPassword',
  'beginSignIn',
  'finishSignIn',
  'reportClientError',
  'addMissingTexts',
  // Sessions are listed with place, start and end.
  'logout',
  'viewAs',
])

type Call = () => Promise<unknown>

const member = () => `/v2/emma/client/${ours.clientId}/membertable/${ours.ids.membertable}/member/`
const own = (path: string) => `/user/${person.userId}/${path}`
const multiBlacklist = (value: string) => ({
  targets: [{ client_id: ours.clientId, blacklist_id: ours.ids.blacklist }],
  values: [value],
})
let people = 0
async function addMember(): Promise<string> {
  people += 1
  const made = await call('POST', member(), { email: `member${people}@example.test` })
  return `${member()}${String(made.json.member_id)}`
}
async function addUser(): Promise<number> {
  const user = resources.find(({ name }) => name === 'user')
  return user ? addRecord(app, person.token, user, ours) : 0
}

/** Call of an approval that somebody else has asked for, and the hash to approve; the client needs approvals meanwhile. */
async function approvalOf(kind: 'campaign' | 'recurring', { isRequested = true } = {}) {
  const setRequired = (campaign_approval: boolean) =>
    app.db.updateTable('client').set({ campaign_approval }).where('client_id', '=', ours.clientId).execute()
  const resource = resources.find(({ name }) => name === kind)
  const { token } = await app.logIn({ clients: [ours.clientId], superadmin: true })
  const id = resource ? await addRecord(app, token, resource, ours) : 0
  const path = `/v2/emma/client/${ours.clientId}/${kind}/${id}/approval`
  await setRequired(true)
  const { json } = await (isRequested
    ? app.call('POST', `${path}/request`, { token, body: {} })
    : app.call('GET', path, { token }))
  const decide = async (action: string, body: unknown) => {
    await call('POST', `${path}/${action}`, body)
    await setRequired(false)
  }
  return [decide, String(json.hash)] as const
}

let files = 0

async function addFile(deleted_at: string | null): Promise<number> {
  files += 1
  const name = `file${files}.png`
  const file = {
    client_id: ours.clientId,
    folder: '/',
    name,
    public_name: name,
    mime_type: 'image/png',
    deleted_at,
  }
  const row = await app.db.insertInto('file').values(file).returning('file_id').executeTakeFirstOrThrow()
  return row.file_id
}

async function addDocument(): Promise<{ path: string; id: string; rev: string }> {
  const made = await call('POST', `/documents/${ours.clientId}/sqltemplate`, { name: 'One', note: 'before' })
  const id = String(made.json.id)
  return { path: `/documents/${ours.clientId}/sqltemplate/${id}`, id, rev: String(made.json.rev) }
}

/** Prepares an action and returns its call. Optional second value: what the log must contain. */
type Sample = () => Promise<
  [call: Call, entry: { object: string; changes?: Entry['changes']; action?: string }]
>

/** Tests are sent by verified domains alone. */
function testHistoryShare(): string {
  return `/v2/emma/client/${ours.clientId}/campaign/${ours.ids.campaign}/test-history/share`
}

async function verifyDomains(): Promise<void> {
  await app.db
    .updateTable('domain')
    .set({ status: 'verified' })
    .where('client_id', '=', ours.clientId)
    .execute()
}

const samples: Record<string, Sample> = {
  changePassword: async () => [
    () => call('POST', own('password'), { old_password: password, password: `${marker}-new` }),
    { object: 'user', action: 'set_password' },
  ],
  endOtherSessions: async () => [() => call('DELETE', own('session/')), { object: 'user' }],
  endSession: async () => {
    const other = await openSession(app.db, app.config.deriveKey('session'), person.userId, nowhere)
    const { jti } = decodeJwt(other)
    return [() => call('DELETE', own(`session/${jti}`)), { object: 'user' }]
  },
  saveProfile: async () => {
    const { json: before } = await call('GET', own('profile'))
    const profile = { firstname: 'Other', lastname: String(before.lastname), email: String(before.email) }
    return [
      () => call('PUT', own('profile'), profile),
      { object: 'user', changes: { firstname: [before.firstname, 'Other'] } },
    ]
  },
  confirmOwnEmail: async () => {
    const { json: before } = await call('GET', own('profile'))
    const email = `confirmed${person.userId}@example.test`
    const { username: _username, ...profile } = before
    await call('PUT', own('profile'), { ...profile, email, old_password: password })
    const mail = mailServer.received.findLast(({ to }) => to === email)
    const token = /email_token=([\w.-]+)/.exec(mail?.text ?? '')?.[1]
    return [
      () => call('PUT', own('email'), { token }),
      { object: 'user', changes: { email: [before.email, email] } },
    ]
  },
  saveUserSettings: async () => {
    await call('POST', own('settings/'), { custom: { theme: 'dark' } })
    const custom = { theme: 'light', password: `${marker}-deep` }
    return [
      () => call('POST', own('settings/'), { custom }),
      { object: 'user', changes: { custom: [{ theme: 'dark' }, { theme: 'light' }] } },
    ]
  },
  createApiToken: async () => [
    () => call('POST', own('token/'), { name: 'Robot', permissions: ['EmmaCampaign:get'], days: 1 }),
    { object: 'user' },
  ],
  revokeApiToken: async () => {
    const wish = { name: 'Old robot', permissions: ['EmmaCampaign:get'], days: 1 }
    const { id } = (await call('POST', own('token/'), wish)).json
    return [() => call('DELETE', own(`token/${String(id)}`)), { object: 'user' }]
  },
  addBlacklistEntries: async () => [
    () => call('POST', `/emma/blacklist/${ours.ids.blacklist}/entry/`, { values: ['x@example.test'] }),
    { object: 'blacklist' },
  ],
  removeBlacklistEntries: async () => {
    const path = `/emma/blacklist/${ours.ids.blacklist}/entry/`
    await call('POST', path, { values: ['y@example.test'] })
    return [() => call('DELETE', `${path}?value=y@example.test`), { object: 'blacklist' }]
  },
  addInternalEntries: async () => [
    () => call('POST', '/v2/blacklist-internal/', { values: ['trap@example.test'] }),
    { object: 'internal_blacklist' },
  ],
  removeInternalEntry: async () => {
    await call('POST', '/v2/blacklist-internal/', { values: ['gone.test'] })
    return [() => call('DELETE', '/v2/blacklist-internal/?value=gone.test'), { object: 'internal_blacklist' }]
  },
  addInternalExcludes: async () => [
    () => call('POST', '/v2/blacklist-internal/exclude/', { values: ['own.test'] }),
    { object: 'internal_blacklist' },
  ],
  removeInternalExclude: async () => {
    await call('POST', '/v2/blacklist-internal/exclude/', { values: ['other.test'] })
    return [
      () => call('DELETE', '/v2/blacklist-internal/exclude/?value=other.test'),
      { object: 'internal_blacklist' },
    ]
  },
  restoreInternalRemoval: async () => {
    await call('POST', '/v2/blacklist-internal/', { values: ['back.test'] })
    const { json } = await call('DELETE', '/v2/blacklist-internal/?value=back.test')
    return [
      () => call('POST', '/v2/blacklist-internal/restore', { removal_id: json.removal_id }),
      { object: 'internal_blacklist' },
    ]
  },
  createMultiBlacklist: async () => [
    () => call('POST', '/emma/multiblacklist/', multiBlacklist('one@example.test')),
    { object: 'blacklist' },
  ],
  removeMultiBlacklist: async () => {
    const { json } = await call('POST', '/emma/multiblacklist/', multiBlacklist('two@example.test'))
    return [() => call('DELETE', `/emma/multiblacklist/${String(json.multi_id)}`), { object: 'blacklist' }]
  },
  cancelUpload: async () => {
    const id = await addUpload()
    return [() => call('POST', `/dataupload/${id}/cancel`), { object: 'dataupload' }]
  },
  startUpload: async () => {
    const id = await addUpload()
    return [
      // Waits for the import, whose entries belong to this user and not to the next one.
      async () => {
        await call('POST', `/dataupload/${id}/start`)
        const state = () =>
          app.pool.query('select finished_at is not null as ended from data_upload where id = $1', [id])
        await expect.poll(async () => (await state()).rows[0].ended).toBe(true)
      },
      { object: 'dataupload' },
    ]
  },
  undoUpload: async () => {
    const id = await addUpload()
    await app.pool.query(
      'update data_upload set status = 3, finished_at = now(), first_member_id = 1, last_member_id = 1 where id = $1',
      [id],
    )
    return [
      // Waits for the job, whose entries belong to this user and not to the next one.
      async () => {
        await call('POST', `/dataupload/${id}/undo`)
        const state = () =>
          app.pool.query(`select undo ->> 'state' as state from data_upload where id = $1`, [id])
        await expect.poll(async () => (await state()).rows[0].state).toBe('finished')
      },
      { object: 'dataupload', action: 'undo', changes: { undo: [null, 'running'] } },
    ]
  },
  createUpload: async () => [
    addUpload,
    { object: 'dataupload', action: 'create', changes: { filename: [null, 'people.csv'] } },
  ],
  createMember: async () => [
    () => call('POST', member(), { email: 'created@example.test' }),
    { object: 'member', action: 'create', changes: { email: [null, 'created@example.test'] } },
  ],
  patchMember: async () => {
    const path = await addMember()
    return [
      () => call('PATCH', path, { source: 'fair' }),
      { object: 'member', action: 'update', changes: { source: [null, 'fair'] } },
    ]
  },
  deleteMember: async () => {
    const path = await addMember()
    return [() => call('DELETE', path), { object: 'member', action: 'delete' }]
  },
  eraseMember: async () => {
    const path = await addMember()
    return [() => call('POST', `${path}/erase`), { object: 'member', action: 'erase' }]
  },
  unsubscribeMember: async () => {
    const path = await addMember()
    return [
      () => call('POST', `${path}/unsubscribe`),
      { object: 'member', changes: { dateunjoin: [null, expect.any(String)] } },
    ]
  },
  resubscribeMember: async () => {
    const path = await addMember()
    await call('POST', `${path}/unsubscribe`)
    return [
      () => call('POST', `${path}/resubscribe`, { reason: 'asked by phone' }),
      { object: 'member', changes: { dateunjoin: [expect.any(String), null] } },
    ]
  },
  confirmMember: async () => {
    const path = await addMember()
    return [() => call('POST', `${path}/confirm`), { object: 'member' }]
  },
  testProcessMail: async () => {
    await verifyDomains()
    return [
      () =>
        call('POST', `/v2/emma/client/${ours.clientId}/pmt:test`, {
          process: 'welcome',
          lang: 'en',
          subject: 'Welcome',
          body_long: '<p>Hi</p>',
          body_text: null,
          emails: ['me@example.test'],
        }),
      { object: 'pmt' },
    ]
  },
  moveCampaign: async () => [
    () => call('POST', `/emma/campaign/${ours.ids.campaign}/archive`),
    { object: 'campaign', action: 'archive', changes: { valid: [0, 9] } },
  ],
  resolveUnknown: async () => [
    () => call('POST', `/emma/campaign/${ours.ids.campaign}/resend-unknown`),
    { object: 'campaign' },
  ],
  requestCampaignApproval: async () => {
    const [approval] = await approvalOf('campaign', { isRequested: false })
    return [() => approval('request', {}), { object: 'campaign', action: 'requestApproval' }]
  },
  approveCampaign: async () => {
    const [approval, hash] = await approvalOf('campaign')
    return [() => approval('approve', { hash }), { object: 'campaign', action: 'approve' }]
  },
  revokeCampaignApproval: async () => {
    const [approval] = await approvalOf('campaign')
    return [
      () => approval('revoke', { note: 'Not yet' }),
      { object: 'campaign', action: 'revokeApproval', changes: { note: [null, 'Not yet'] } },
    ]
  },
  requestRecurringApproval: async () => {
    const [approval] = await approvalOf('recurring', { isRequested: false })
    return [() => approval('request', {}), { object: 'recurring', action: 'requestApproval' }]
  },
  approveRecurring: async () => {
    const [approval, hash] = await approvalOf('recurring')
    return [() => approval('approve', { hash }), { object: 'recurring', action: 'approve' }]
  },
  revokeRecurringApproval: async () => {
    const [approval] = await approvalOf('recurring')
    return [() => approval('revoke', {}), { object: 'recurring', action: 'revokeApproval' }]
  },
  chooseWinner: async () => {
    const split = JSON.stringify(splitField.parse({ variants: [{ subject: 'B' }] }))
    const campaign = { client_id: ours.clientId, name: 'A/B', valid: 2, split, split_waits: true }
    const { campagne_id: id } = await app.db
      .insertInto('campaign')
      .values(campaign)
      .returning('campagne_id')
      .executeTakeFirstOrThrow()
    return [
      () => call('POST', `/v2/emma/client/${ours.clientId}/campaign/${id}/split-winner`, { variant: 1 }),
      { object: 'campaign', action: 'update' },
    ]
  },
  resendCampaign: async () => {
    await app.db
      .updateTable('campaign')
      .set({ started_at: new Date(), member_table_id: ours.ids.membertable ?? null })
      .where('campagne_id', '=', Number(ours.ids.campaign))
      .execute()
    return [
      () => call('POST', `/emma/campaign/${ours.ids.campaign}/resend`, { to: 'not_opened' }),
      { object: 'campaign', action: 'copy' },
    ]
  },
  sendTestCampaign: async () => {
    await verifyDomains()
    return [
      () =>
        call('POST', '/emma/testcampaign/', {
          client_id: ours.clientId,
          message_id: ours.ids.message,
          emails: ['me@example.test'],
        }),
      { object: 'testcampaign' },
    ]
  },
  testMessage: async () => {
    await verifyDomains()
    return [
      () =>
        call('POST', `/v2/emma/client/${ours.clientId}/message:test`, {
          message_id: ours.ids.message,
          emails: ['me@example.test'],
        }),
      { object: 'message' },
    ]
  },
  untrackMessage: async () => [
    () => call('POST', `/emma/message/${ours.ids.message}/untrack`),
    { object: 'message', changes: { is_tracked: [true, false] } },
  ],
  restoreMessageVersion: async () => {
    const versions = `/v2/emma/client/${ours.clientId}/message/${ours.ids.message}/version`
    await call('PATCH', `/emma/message/${ours.ids.message}`, { collection: 'changed' })
    const { json } = await call('GET', versions)
    const [first] = (json.data as { version_id: number }[]).slice(-1)
    return [
      () => call('POST', `${versions}/${first?.version_id}/restore`),
      { object: 'message', action: 'update', changes: { collection: ['changed', null] } },
    ]
  },
  nameMessageVersion: async () => {
    const versions = `/v2/emma/client/${ours.clientId}/message/${ours.ids.message}/version`
    const { json } = await call('GET', versions)
    const [last] = json.data as { version_id: number }[]
    return [
      () => call('PATCH', `${versions}/${last?.version_id}`, { name: 'As approved' }),
      { object: 'message', action: 'nameVersion', changes: { version_name: [null, 'As approved'] } },
    ]
  },
  trackMessage: async () => {
    await call('POST', `/emma/message/${ours.ids.message}/untrack`)
    return [
      () => call('POST', `/emma/message/${ours.ids.message}/track`),
      { object: 'message', changes: { is_tracked: [false, true] } },
    ]
  },
  shareTestHistory: async () => [
    () => call('POST', testHistoryShare(), {}),
    { object: 'campaign', action: 'share' },
  ],
  revokeTestShare: async () => {
    await call('POST', testHistoryShare(), {})
    const share = await app.db.selectFrom('test_share').select('share_id').executeTakeFirstOrThrow()
    return [
      () => call('DELETE', `${testHistoryShare()}/${share.share_id}`),
      { object: 'campaign', action: 'unshare' },
    ]
  },
  shareDashboard: async () => [
    () => call('POST', `/dashboard/${ours.ids.dashboard}/share`, {}),
    { object: 'dashboard', action: 'share' },
  ],
  revokeShare: async () => {
    await call('POST', `/dashboard/${ours.ids.dashboard}/share`, {})
    const share = await app.db.selectFrom('dashboard_share').select('share_id').executeTakeFirstOrThrow()
    return [
      () => call('DELETE', `/dashboard/${ours.ids.dashboard}/share/${share.share_id}`),
      { object: 'dashboard', action: 'unshare' },
    ]
  },
  shareReport: async () => [
    () => call('POST', `/emma/report/${ours.ids.campaign}/salesview/share`, {}),
    { object: 'campaign', action: 'share' },
  ],
  revokeReportShare: async () => {
    const shares = `/emma/report/${ours.ids.campaign}/salesview/share`
    await call('POST', shares, {})
    const share = await app.db.selectFrom('report_share').select('share_id').executeTakeFirstOrThrow()
    return [() => call('DELETE', `${shares}/${share.share_id}`), { object: 'campaign', action: 'unshare' }]
  },
  shareMtaStats: async () => [
    () => call('POST', `/mtastats/${ours.ids.campaign}/share`, {}),
    { object: 'campaign', action: 'share' },
  ],
  revokeMtaShare: async () => {
    const shares = `/mtastats/${ours.ids.campaign}/share`
    await call('POST', shares, {})
    const share = await app.db.selectFrom('mta_share').select('share_id').executeTakeFirstOrThrow()
    return [() => call('DELETE', `${shares}/${share.share_id}`), { object: 'campaign', action: 'unshare' }]
  },
  shareComparison: async () => [
    () => call('POST', `/reportinggroup/${ours.ids.reportinggroup}/share`, {}),
    { object: 'reportinggroup', action: 'share' },
  ],
  revokeComparisonShare: async () => {
    const shares = `/reportinggroup/${ours.ids.reportinggroup}/share`
    await call('POST', shares, {})
    const { share_id } = await app.db
      .selectFrom('reporting_group_share')
      .select('share_id')
      .executeTakeFirstOrThrow()
    return [() => call('DELETE', `${shares}/${share_id}`), { object: 'reportinggroup', action: 'unshare' }]
  },
  verifyDomain: async () => [
    () => call('POST', `/emma/domain/${ours.ids.domain}/verify`),
    { object: 'domain' },
  ],
  createDocument: async () => [
    addDocument,
    { object: 'sqltemplate', action: 'create', changes: { note: [null, 'before'] } },
  ],
  updateDocument: async () => {
    const { path, id, rev } = await addDocument()
    return [
      () => call('PUT', `${path}?rev=${rev}`, { name: 'One', note: 'after' }),
      { object: 'sqltemplate', action: 'update', changes: { _id: [id, id], note: ['before', 'after'] } },
    ]
  },
  writeDocuments: async () => {
    const { id, rev } = await addDocument()
    const docs = [{ _id: id, _rev: rev, _deleted: true }]
    return [
      () => call('POST', `/documents/${ours.clientId}/sqltemplate/_bulk_docs`, { docs }),
      { object: 'sqltemplate', action: 'delete', changes: { _id: [id, null], note: ['before', null] } },
    ]
  },
  describeFile: async () => {
    const id = await addFile(null)
    return [
      () => call('PATCH', `/v2/emma/client/${ours.clientId}/file/${id}`, { alt: 'A boat' }),
      { object: 'file', action: 'update', changes: { alt: [null, 'A boat'] } },
    ]
  },
  editImage: async () => {
    const image = await pngFile()
    const { json } = await callStorage(app, 'POST', `/${ours.clientId}/`, {
      token: person.token,
      files: [image],
    })
    const id = json.data.meta.extra.file_id
    return [
      () => call('POST', `/v2/emma/client/${ours.clientId}/file/${id}/edit`, { width: 20 }),
      { object: 'file', action: 'create' },
    ]
  },
  readHtmlBody: async () => [
    () => call('POST', '/tools/htmlbody/', { html: '<p>Hello</p>', client_id: ours.clientId }),
    { object: 'htmlbody' },
  ],
  restoreFile: async () => {
    const id = await addFile(new Date().toISOString())
    return [
      () => call('POST', `/v2/emma/client/${ours.clientId}/file/${id}/restore`),
      { object: 'file', action: 'restore' },
    ]
  },
  testFeed: async () => [
    () =>
      app.call('POST', `/v2/emma/client/${ours.clientId}/placeholder:feed`, {
        token: person.token,
        body: { feed_url: 'https://127.0.0.1/feed', module_id: ours.ids.placeholder },
      }),
    { object: 'placeholder', action: 'testFeed' },
  ],
  ...legalSamples('agb', 'Agb'),
  ...legalSamples('bav', 'Bav'),
  dismissMotd: async () => [() => call('POST', `/motd:dismiss/${ours.ids.motd}`), { object: 'motd' }],
  seeTour: async () => [
    () => call('POST', `/v2/guided-tour:seen/${ours.ids.guided_tour}`),
    { object: 'guided-tour' },
  ],
  seeChangelog: async () => [
    () => call('POST', '/changelog:seen', { version: '0.1.0' }),
    { object: 'changelog' },
  ],
  createNotification: async () => [
    () => call('POST', '/notification/', { text: 'Hello', client_id: ours.clientId }),
    { object: 'notification' },
  ],
  readNotifications: async () => [() => call('POST', '/notification:read', {}), { object: 'notification' }],
  clearNotifications: async () => [() => call('POST', '/notification:clear', {}), { object: 'notification' }],
  removeNotification: async () => {
    const made = await call('POST', '/notification/', { text: 'Bye', client_id: ours.clientId })
    const { id } = z.object({ id: z.int() }).parse(JSON.parse(made.text))
    return [() => call('DELETE', `/notification/${id}`), { object: 'notification' }]
  },
  addUserClient: async () => {
    const id = await addUser()
    const other = await addTestClient(app, person.token)
    return [
      () => call('POST', `/user/${id}/client/${other.clientId}/`),
      { object: 'user', changes: { clients: [[ours.clientId], [ours.clientId, other.clientId]] } },
    ]
  },
  removeUserClient: async () => {
    const id = await addUser()
    return [
      () => call('DELETE', `/user/${id}/client/${ours.clientId}/`),
      { object: 'user', changes: { clients: [[ours.clientId], []] } },
    ]
  },
  inviteUser: async () => {
    const id = await addUser()
    return [() => call('POST', `/user:invite/${id}`), { object: 'user', action: 'invite' }]
  },
  unstuckUser: async () => {
    const id = await addUser()
    return [() => call('POST', `/user:unstuck/${id}`), { object: 'user' }]
  },
  saveRolePermissions: async () => [
    () => call('PUT', `/role/${ours.ids.role}/permission`, { permissions: ['User:get'] }),
    { object: 'role', changes: { permissions: [['EmmaCampaign:get'], ['User:get']] } },
  ],
  beginSecondFactor: async () => [
    () => call('POST', own('second-factor'), { old_password: password }),
    { object: 'user' },
  ],
  confirmSecondFactor: async () => {
    const code = await beginSecondFactor()
    return [() => call('PUT', own('second-factor'), { code }), { object: 'user' }]
  },
  removeSecondFactor: async () => {
    const codes = await addSecondFactor()
    return [
      () => call('DELETE', own('second-factor'), { old_password: password, code: codes[0] }),
      { object: 'user' },
    ]
  },
  removeSecondFactorOf: async () => {
    await addSecondFactor()
    const { userId } = person
    const helper = await app.logIn({ clients: [], superadmin: true })
    return [
      () => {
        person = helper
        return call('DELETE', `/user:second-factor/${userId}`)
      },
      { object: 'user' },
    ]
  },
  saveAuditSettings: async () => [
    () => call('PUT', '/v2/system-settings/audit-log', { audit_days: 400 }),
    { object: 'setting', changes: { audit_days: [0, 400] } },
  ],
  saveMailSettings: async () => [
    () =>
      call('PUT', '/v2/system-settings/mail', {
        is_enabled: false,
        from: 'emma@example.test',
        host: 'smtp.example.test',
        port: 587,
        tls: 'starttls',
        username: 'emma',
        password: `${marker}-mail`,
      }),
    { object: 'setting' },
  ],
  saveWritingSettings: async () => [
    () =>
      call('PUT', '/v2/system-settings/writing', {
        is_enabled: false,
        url: 'https://ai.example.test/v1',
        model: 'small',
        api_key: `${marker}-writing`,
      }),
    { object: 'setting' },
  ],
  saveSmsSettings: async () => [
    () =>
      call('PUT', '/v2/system-settings/sms', {
        is_enabled: false,
        url: 'https://sms.example.test/send',
        sender: 'EMMA',
        api_key: `${marker}-sms`,
      }),
    { object: 'setting' },
  ],
  saveBeefreeSettings: async () => [
    () =>
      call('PUT', '/v2/system-settings/beefree', {
        is_enabled: false,
        client_id: 'emma',
        client_secret: `${marker}-beefree`,
      }),
    { object: 'setting' },
  ],
  saveBeefreeExport: async () => [
    () => call('PUT', '/v2/system-settings/beefree-export', { api_key: `${marker}-beefree-export` }),
    { object: 'setting' },
  ],
  saveFeedbackLoops: async () => [
    () => call('PUT', '/v2/system-settings/feedback-loops', { senders: ['fbl.example.com'] }),
    { object: 'setting' },
  ],
  saveRealDelivery: async () => [
    () => call('PUT', '/v2/system-settings/real-delivery', { real_delivery: true }),
    { object: 'setting', changes: { real_delivery: [false, true] } },
  ],
  saveSignInSettings: async () => [
    () =>
      call('PUT', '/v2/system-settings/sign-in', {
        is_enabled: false,
        name: 'Staff',
        issuer: 'https://id.example.test',
        client_id: 'emma',
        client_secret: `${marker}-provider`,
        domains: [],
        role_id: null,
        tenant_id: null,
      }),
    { object: 'setting' },
  ],
  changeTranslation: async () => {
    await call('PATCH', '/translation/de', { localisation: { action: { save: 'Behalten' } } })
    return [
      () => call('PATCH', '/translation/de', { localisation: { action: { save: 'Sichern' } } }),
      { object: 'translation', changes: { 'de: action.save': ['Behalten', 'Sichern'] } },
    ]
  },
  replaceTranslation: async () => {
    await call('PATCH', '/translation/es', { localisation: { action: { save: 'Guardar ya' } } })
    return [
      () => call('PUT', '/translation/es', { localisation: {} }),
      { object: 'translation', changes: { 'es: action.save': ['Guardar ya', null] } },
    ]
  },
  forgetMissingTexts: async () => [() => call('DELETE', '/translation:missing'), { object: 'translation' }],
  undoScdAction: async () => {
    const { rows } = await app.pool.query<{ id: number }>(
      `insert into scd_action (rule_id, action, object, client_id, reply, window_start, hits, acted_at)
       values ($1, 'backoff_provider', 'here', $2, 'Slow down', now(), 1, now()) returning id`,
      [ours.ids.scd_rule, ours.clientId],
    )
    return [() => call('POST', `/v2/scd-rule:undo/${rows[0]?.id}`), { object: 'scd_rule', action: 'undo' }]
  },
  replayWebhook: async () => [
    () =>
      call('POST', `/emma/webhook/${ours.ids.webhook}/replay`, {
        from: '2026-01-01T00:00:00Z',
        to: '2026-01-02T00:00:00Z',
      }),
    { object: 'webhook' },
  ],
  runRecurring: async () => {
    await verifyDomains()
    const { ids, clientId } = ours
    const domain = await call('GET', `/emma/domain/${ids.domain}`)
    await call('PATCH', `/emma/message/${ids.message}`, {
      subject: 'News',
      body_long: '<p>{{ client.imprint }} <a href="{{ link.unsubscribe }}">unsubscribe</a></p>',
    })
    await call('PATCH', `/emma/client/${clientId}`, { imprint: 'Shop Ltd, 1 Road' })
    await call('POST', `/v2/emma/client/${clientId}/membertable/${ids.membertable}/member/`, {
      email: 'reader@example.test',
    })
    await call('PATCH', `/recurring/${ids.recurring}`, { fromadr: `news@${String(domain.json.name)}` })
    return [
      () => call('POST', `/recurring/${ids.recurring}/run`),
      { object: 'recurring', action: 'run', changes: { campagne_id: [null, expect.any(Number)] } },
    ]
  },
  rotateTransactionalKey: async () => [
    () => call('POST', `/transactionalcampaign/${ours.ids.transactionalcampaign}/rotate-key`),
    { object: 'transactionalcampaign', action: 'rotate_key' },
  ],
  cancelTransactionalMail: async () => {
    const id = await queueLater()
    return [
      () => call('POST', `/transactionalcampaign/${ours.ids.transactionalcampaign}/mail/${id}/cancel`),
      { object: 'transactionalcampaign', action: 'cancelMail', changes: { message_id: [null, id] } },
    ]
  },
  resendTransactionalMail: async () => {
    const id = await queueLater()
    return [
      () => call('POST', `/transactionalcampaign/${ours.ids.transactionalcampaign}/mail/${id}/resend`),
      { object: 'transactionalcampaign', action: 'resendMail', changes: { message_id: [null, id] } },
    ]
  },
  testAlert: async () => [
    () => call('POST', `/alert/${ours.ids.alert}/test`),
    { object: 'alert', action: 'test' },
  ],
  testWebhook: async () => [
    () => call('POST', `/emma/webhook/${ours.ids.webhook}/test`),
    { object: 'webhook' },
  ],
  replayWebhookMessage: async () => {
    await call('POST', `/emma/webhook/${ours.ids.webhook}/test`)
    const { rows } = await app.pool.query<{ id: string }>(
      'select message_id as id from webhook_message limit 1',
    )
    return [
      () => call('POST', `/emma/webhook/${ours.ids.webhook}/message/${rows[0]?.id}/replay`),
      { object: 'webhook' },
    ]
  },
  rotateWebhookSecret: async () => [
    () => call('POST', `/emma/webhook/${ours.ids.webhook}/rotate`),
    { object: 'webhook', action: 'rotate_secret' },
  ],
}

async function queueLater(): Promise<number> {
  const send_at = new Date(Date.now() + 86_400_000).toISOString()
  const { json } = await call('POST', `/transactionalcampaign/${ours.ids.transactionalcampaign}/send`, {
    email: 'customer@example.test',
    data: { number: 'A-1' },
    send_at,
  })
  return Number(json.message_id)
}

const writing = actions.filter(
  ({ name, method, reads, unlogged, queuesMail }) =>
    method !== 'GET' &&
    reads !== true &&
    unlogged !== true &&
    queuesMail !== true &&
    !withoutPerson.has(name),
)

test.each(writing.map(({ name }) => name))('%s', async name => {
  const sample = samples[name]
  if (!sample) throw new Error(`How is ${name} called? Say so here, so that its entry is checked.`)
  const [write, { object, action, changes = {} }] = await sample()
  const entries = await entriesOf(async () => void (await write()))
  const fitting = entries.filter(
    entry => entry.object === object && (action ?? entry.action) === entry.action,
  )
  expect(entries.map(({ user_id }) => user_id)).toEqual(entries.map(() => person.userId))
  expect({ entries, found: fitting.length > 0 }).toMatchObject({ found: true })
  expect(changesOf(fitting)).toMatchObject(changes)
})

test('no secret is logged, whatever was sent', async () => {
  const { rows } = await app.pool.query<{ text: string }>(
    'select string_agg(changes::text, $1) as text from change_log',
    ['\n'],
  )
  expect(rows[0]?.text).not.toMatch(new RegExp(`${marker}|${password}|argon2|whsec_|emma_[A-Za-z0-9]{20}`))
})

test("erasing a person removes the member's data from the log", async () => {
  const made = await call('POST', member(), { email: 'forgotten@example.test' })
  await call('POST', `${member()}${String(made.json.member_id)}/erase`)
  const { rows } = await app.pool.query(
    'select action from change_log where object_id = $1 and object = $2',
    [made.json.member_id, 'member'],
  )
  expect(rows).toEqual([{ action: 'erase' }])
  const { rows: left } = await app.pool.query(
    "select from change_log where changes::text like '%forgotten@%'",
  )
  expect(left).toEqual([])
})

const nowhere = { ip: null, userAgent: null }

function legalSamples(kind: 'agb' | 'bav', name: 'Agb' | 'Bav'): typeof samples {
  const pdf = () => `/v2/${kind}/${ours.ids[kind]}/pdf`
  return {
    [`upload${name}Pdf`]: async () => [
      () => call('PUT', pdf(), pdfForm, formHeaders),
      { object: kind, action: 'update', changes: { pdf: [null, 'terms.pdf'] } },
    ],
    [`remove${name}Pdf`]: async () => {
      await call('PUT', pdf(), pdfForm, formHeaders)
      return [
        () => call('DELETE', pdf()),
        { object: kind, action: 'update', changes: { pdf: ['terms.pdf', null] } },
      ]
    },
    [`confirm${name}`]: async () => {
      const body = { ...sampleOf(kind, ours), valid_from: '2026-01-01', published: true }
      const { json } = await call('POST', `/v2/${kind}/`, body)
      return [
        () =>
          call('POST', `/v2/emma/client/${ours.clientId}/${kind}-confirm`, {
            doc_id: json.id,
            name: 'Ann Lee',
            role: 'CEO',
          }),
        { object: `${kind}_confirm`, action: 'create', changes: { name: [null, 'Ann Lee'] } },
      ]
    },
  }
}

const border = 'border'
const formHeaders = { 'content-type': `multipart/form-data; boundary=${border}` }
const pdfForm = Buffer.from(
  `--${border}\r\ncontent-disposition: form-data; name="file"; filename="terms.pdf"\r\n\r\n%PDF-1.7\n\r\n--${border}--\r\n`,
)

async function addUpload(): Promise<number> {
  const parts = [
    `--${border}\r\ncontent-disposition: form-data; name="data"\r\n\r\n{"member_table_id":${ours.ids.membertable}}\r\n`,
    `--${border}\r\ncontent-disposition: form-data; name="file"; filename="people.csv"\r\n\r\n`,
    'email\nann@example.test\n',
    `\r\n--${border}--\r\n`,
  ]
  return Number((await call('POST', '/v2/dataupload/', Buffer.from(parts.join('')), formHeaders)).json.id)
}

/** Begins a setup again; returns the confirmation code. */
async function beginSecondFactor(): Promise<string> {
  const begun = await call('POST', own('second-factor'), { old_password: password })
  return generate({ secret: String(begun.json.key), epoch: Math.floor(Date.now() / 1000) })
}

async function addSecondFactor(): Promise<string[]> {
  const set = await call('PUT', own('second-factor'), { code: await beginSecondFactor() })
  person = { ...person, token: String(set.json.token) }
  return z.array(z.string()).parse(set.json.recovery_codes)
}
