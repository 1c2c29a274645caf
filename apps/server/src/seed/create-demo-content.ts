import { memberColumn } from '@emma/contract/resources/membertable.ts'
import { permissions } from '@emma/contract/permissions.ts'
import {
  blacklistOperations,
  listOperations,
  membertableOperations,
  testaddressOperations,
} from '@emma/core/audience/operations.ts'
import { refreshMemberTableStats } from '@emma/core/audience/datasources/datasource-stats.ts'
import { campaignOperations } from '@emma/core/campaigns/campaign-operations.ts'
import { startUnchecked } from '@emma/core/campaigns/start-unchecked.ts'
import { compileHere } from '@emma/core/content/compile-message.ts'
import { messageOperations } from '@emma/core/content/message-operations.ts'
import { placeholderOperations } from '@emma/core/content/placeholder-operations.ts'
import { domainOperations } from '@emma/core/deliverability/domain-operations.ts'
import { setVerified } from '@emma/core/deliverability/verify-domain.ts'
import { imapLoginOperations } from '@emma/core/deliverability/placement/imap-login-operations.ts'
import { imapSettingOperations } from '@emma/core/deliverability/placement/imap-setting-operations.ts'
import { mailclassOperations } from '@emma/core/deliverability/mailclass-operations.ts'
import { clientOperations } from '@emma/core/platform/client-operations.ts'
import { isFirstClient } from '@emma/core/platform/first-client.ts'
import { roleOperations } from '@emma/core/platform/role-operations.ts'
import { type Actor, systemActor } from '@emma/core/resource/actor.ts'
import { copyRows } from '@emma/db/copy.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { mailHostsOf } from '../http/mail-hosts.ts'
import type { RoleContext } from '../role.ts'
import { createDemoRecurring } from './create-demo-recurring.ts'
import { sampleMembers } from './sample-members.ts'
import { sampleMessages } from './sample-messages.ts'

const memberCount = 2_000

/** Test mailboxes in the testbed, with where it puts their mail. */
const testMailboxes = [
  ['Gmail', 'ok-seed@gmail.test'],
  ['Gmail', 'promo-seed@gmail.test'],
  ['GMX', 'ok-seed@gmx.test'],
  ['Outlook', 'spam-seed@outlook.test'],
] as const

/**
 * Creates the demo content of a new installation, so that no screen is empty: roles, a client with members at the
 * testbed's domains, a verified domain, a mail class, two templates, segments, a first campaign and a recurring one,
 * which the engine sends to the testbed as soon as the roles run. Does nothing if a client exists.
 */
export async function createFirstContent({ config, db, pool }: RoleContext): Promise<void> {
  const made = await transaction(db, async tx => {
    return (await isFirstClient(tx)) ? createDemoClient(tx, config) : null
  })
  if (!made) return
  const { clientId, tableId, campaignId, recurring } = made
  await addMembers(pool, clientId, tableId)
  await refreshMemberTableStats(db, clientId, tableId)
  // Started last, when their members exist.
  await createDemoRecurring({ config, db }, clientId, recurring)
  await startUnchecked(db, { clientId, campaignId })
}

async function createDemoClient(db: Db, config: RoleContext['config']) {
  const secretKey = config.deriveKey('secrets at rest')
  const admin: Actor = { ...systemActor(0), superadmin: true, clientIds: 'all', clientId: null }
  for (const role of shippedRoles) await roleOperations.create(db, admin, null, role)
  const client = await clientOperations.create(db, admin, null, {
    name: 'Northwind Coffee',
    contact_email: 'hello@northwind.test',
    language: 'en',
    timezone: 'Europe/Berlin',
    address: 'Speicherstraße 12, 20457 Hamburg',
    imprint: 'Northwind Coffee GmbH, Speicherstraße 12, 20457 Hamburg',
  })
  const clientId = client.client_id
  const actor = systemActor(clientId)
  const table = await membertableOperations.create(db, actor, clientId, {
    name: 'Newsletter',
    description: 'People who asked for the monthly mail.',
  })
  const tableId = table.member_table_id
  await membertableOperations.patch(
    db,
    actor,
    { clientIds: [clientId] },
    tableId,
    { emmamembertableschema: [...table.emmamembertableschema, ...memberColumns] },
    { revision: null },
  )
  const domain = await domainOperations(secretKey, mailHostsOf(config)).create(db, actor, clientId, {
    name: 'northwind.test',
    in_pool: true,
  })
  // The testbed's DNS serves it; its check confirms this every time.
  await setVerified(db, clientId, Number(domain.domain_id))
  const mailclass = await mailclassOperations(secretKey).create(db, actor, clientId, {
    name: 'Newsletter',
    description: 'Goes to the built-in testbed until real delivery is switched on.',
    type: 'bulk',
  })
  await placeholderOperations(secretKey).create(db, actor, clientId, {
    name: 'Imprint',
    token: 'imprint',
    type: 'text',
    body: {
      en: 'Northwind Coffee GmbH, Speicherstraße 12, 20457 Hamburg',
      de: 'Northwind Coffee GmbH, Speicherstraße 12, 20457 Hamburg',
    },
    is_mandatory: true,
  })
  const messages = messageOperations({ compile: compileHere, trackingBase: config.trackingUrl })
  const newsletter = await messages.create(db, actor, clientId, sampleMessages.newsletter)
  await messages.create(db, actor, clientId, sampleMessages.welcome)
  const everyone = await listOperations.create(db, actor, clientId, {
    name: 'Everyone',
    member_table_id: tableId,
  })
  await listOperations.create(db, actor, clientId, {
    name: 'Regulars in Berlin and Hamburg',
    member_table_id: tableId,
    query: {
      combinator: 'and',
      rules: [
        { field: 'city', operator: 'in', value: ['Berlin', 'Hamburg'] },
        { field: 'points', operator: '>=', value: 50 },
      ],
    },
  })
  // Some 90 people, none of whose mailboxes defers: its runs end at once.
  const loyal = await listOperations.create(db, actor, clientId, {
    name: 'Most loyal customers',
    member_table_id: tableId,
    query: { combinator: 'and', rules: [{ field: 'points', operator: '>=', value: 350 }] },
  })
  await blacklistOperations.create(db, actor, clientId, {
    name: 'Never write to',
    kind: 'client',
    match: 'email',
  })
  await testaddressOperations.create(db, actor, clientId, {
    email: 'ok-proof@gmail.test',
    addr_type: 'testaddr',
    firstname: 'Proof',
    lastname: 'Reader',
  })
  for (const [provider, email] of testMailboxes) {
    const { setting_id } = await imapSettingOperations(secretKey, async () => null).create(
      db,
      actor,
      clientId,
      {
        provider,
        protocol: 'testbed',
      },
    )
    const login = { email, username: email, password: 'testbed', setting_id }
    await imapLoginOperations(secretKey).create(db, actor, clientId, login)
  }
  const settings = {
    message_id: newsletter.message_id,
    domain_id: domain.domain_id,
    mailclass_id: mailclass.mailclass_id,
    fromadr: 'hello@northwind.test',
    fromname: 'Northwind Coffee',
  }
  const campaign = await campaignOperations.create(db, actor, clientId, {
    ...settings,
    name: 'Autumn roast',
    list_id: everyone.list_id,
  })
  const recurring = {
    ...settings,
    list_id: loyal.list_id,
    subject: '{{ member.firstname | default: "Hello" }}, this is your coffee of the week',
  }
  return { clientId, tableId, campaignId: Number(campaign.campagne_id), recurring }
}

export const shippedRoles = [
  {
    name: 'Administrator',
    permissions: permissions.filter(permission => !permission.startsWith('Testbed:')),
    is_administrator: true,
  },
  {
    name: 'Editor',
    permissions: permissions.filter(
      permission => !/^(User|Role|Permission|EmmaClient|Testbed):/.test(permission),
    ),
  },
  {
    name: 'Reader',
    permissions: permissions.filter(
      permission => permission.endsWith(':get') && !permission.startsWith('Testbed:'),
    ),
  },
]

const memberColumns = [
  { column_name: 'firstname', label: 'First name', data_type: 'string', length: 100, is_pii: true },
  { column_name: 'lastname', label: 'Last name', data_type: 'string', length: 100, is_pii: true },
  { column_name: 'city', label: 'City', data_type: 'string', length: 100 },
  { column_name: 'language', label: 'Language', data_type: 'enum', options: ['de', 'en', 'es'] },
  { column_name: 'birthday', label: 'Birthday', data_type: 'date', is_pii: true },
  { column_name: 'points', label: 'Points', data_type: 'int' },
].map(column => memberColumn.parse(column))

async function addMembers(pool: RoleContext['pool'], clientId: number, tableId: number): Promise<void> {
  const columns = [
    'client_id',
    'email',
    'datejoin',
    'source',
    ...memberColumns.map(column => column.column_name),
  ]
  const connection = await pool.connect()
  try {
    await copyRows(
      connection,
      ['members', `t${tableId}`],
      columns,
      sampleMembers(memberCount, new Date()).map(member => [
        clientId,
        member.email,
        member.datejoin,
        'first content',
        member.firstname,
        member.lastname,
        member.city,
        member.language,
        member.birthday,
        member.points,
      ]),
    )
  } finally {
    connection.release()
  }
}
