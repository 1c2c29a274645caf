import { listUserSettings, readProfile, saveUserSettings } from '@emma/contract/actions/account.ts'
import { dismissMotd, readGuidance } from '@emma/contract/actions/guidance.ts'
import {
  countNotifications,
  listNotifications,
  readNotifications,
} from '@emma/contract/actions/notifications.ts'
import { listAlertMessages } from '@emma/contract/actions/alerts.ts'
import { alert } from '@emma/contract/resources/alert.ts'
import { campaignPreset } from '@emma/contract/resources/campaign-preset.ts'
import { capping } from '@emma/contract/resources/capping.ts'
import { initialValues } from '@emma/contract/resource-schemas.ts'
import { category } from '@emma/contract/resources/category.ts'
import { client } from '@emma/contract/resources/client.ts'
import { domain } from '@emma/contract/resources/domain.ts'
import { imapLogin } from '@emma/contract/resources/imap-login.ts'
import { imapSetting } from '@emma/contract/resources/imap-setting.ts'
import { ipci } from '@emma/contract/resources/ipci.ts'
import { mailclass } from '@emma/contract/resources/mailclass.ts'
import { motd } from '@emma/contract/resources/motd.ts'
import { role } from '@emma/contract/resources/role.ts'
import { user } from '@emma/contract/resources/user.ts'
import { demoClientId } from '@emma/contract/session.ts'
import { type DemoState, type DemoRoute, notInDemo, onAction } from './demo-call.ts'
import type { DemoMotd } from './demo-records.ts'
import { recordRoutes } from './record-routes.ts'

export const installationRoutes: readonly DemoRoute[] = [
  ...recordRoutes({
    resource: user,
    entity: 'user',
    blank: {
      administrator: false,
      superadmin: false,
      active: true,
      roles: [],
      clients: [demoClientId],
      settings: [{ client_id: demoClientId, custom: {} }],
      isDemo: true,
      locked_until: null,
      has_second_factor: false,
      has_password: false,
    },
    // Passwords are not stored in the browser.
    settle: async ({ password: _, ...row }) => row,
  }),
  ...recordRoutes({ resource: client, entity: 'client' }),
  ...recordRoutes({ resource: role, entity: 'role' }),
  ...recordRoutes({ resource: domain, entity: 'domain' }),
  ...recordRoutes({ resource: mailclass, entity: 'mailclass' }),
  ...recordRoutes({ resource: imapSetting, entity: 'imap_setting' }),
  ...recordRoutes({ resource: imapLogin, entity: 'imap_login' }),
  ...recordRoutes({
    resource: alert,
    entity: 'alert',
    blank: { ...initialValues(alert), state: 'unknown', value: null, checked_at: null, fired_at: null },
  }),
  ...onAction(listAlertMessages, async ({ query }) => ({
    data: [],
    included: [],
    pagination: { limit: query.limit, offset: query.offset, total: 0 },
  })),
  ...recordRoutes({ resource: ipci, entity: 'ipci' }),
  ...recordRoutes({ resource: capping, entity: 'capping', blank: initialValues(capping) }),
  ...recordRoutes({
    resource: campaignPreset,
    entity: 'campaign_preset',
    blank: initialValues(campaignPreset),
  }),
  ...recordRoutes({
    resource: category,
    entity: 'category',
    blank: initialValues(category),
    settle: async row => ({ ...row, values: withValueIds(row['values']) }),
  }),
  ...recordRoutes({
    resource: motd,
    entity: 'motd',
    special: { state: (row, values) => values.includes(row['state']) },
  }),
  ...onAction(readProfile, async ({ params }, { person }) => {
    if (params.id !== person.id) notInDemo()
    const { username, firstname, lastname, email } = person
    return { username, firstname, lastname, email }
  }),
  ...onAction(listUserSettings, ({ params }, demo) => settingsOf(params.id, demo)),
  ...onAction(saveUserSettings, async ({ params, body }, demo) => {
    if (params.id !== demo.person.id) notInDemo()
    if (body.custom) await demo.tables('settings').put(customKey, body.custom)
    return settingsOf(params.id, demo)
  }),
  ...onAction(readGuidance, async (_, demo) => {
    const dismissed = (await demo.tables<number[]>('settings').get(dismissedKey)) ?? []
    const motds = await demo.tables<DemoMotd>('motd').all()
    return {
      messages: motds.filter(({ id }) => !dismissed.includes(id)).map(shownMotd),
      changes_at: null,
      tours: [],
      news: 0,
    }
  }),
  ...onAction(dismissMotd, async ({ params }, { tables }): Promise<{ ok: true }> => {
    const settings = tables<number[]>('settings')
    await settings.put(dismissedKey, [...((await settings.get(dismissedKey)) ?? []), params.id])
    return { ok: true }
  }),
  ...onAction(listNotifications, async () => '[]'),
  ...onAction(countNotifications, async () => noNotifications),
  ...onAction(readNotifications, async () => noNotifications),
]

const noNotifications = JSON.stringify({ unread: 0, total: 0 })

/** Key of the user's preferences, stored in the browser until the demo is reset. */
export const customKey = 'custom'
const dismissedKey = 'dismissed'

async function settingsOf(user_id: number, { person, tables }: DemoState) {
  if (user_id !== person.id) notInDemo()
  const custom = (await tables<Record<string, unknown>>('settings').get(customKey)) ?? {}
  const pagination = { limit: 1, offset: 0, total: 1 }
  const data = [{ user_id, client_id: demoClientId, custom }]
  return { data, included: [], pagination, due_documents: [] }
}

function shownMotd({
  id,
  title_en,
  title_de,
  title_es,
  body_en,
  body_de,
  body_es,
  type,
  modal_size,
}: DemoMotd) {
  const html = { html_en: paragraph(body_en), html_de: paragraph(body_de), html_es: paragraph(body_es) }
  return { id, title_en, title_de, title_es, ...html, type, modal_size }
}

/** Wraps the demo's own plain text in a paragraph. */
function paragraph(text: string): string {
  return `<p>${text}</p>`
}

/** New values get the next ids. */
function withValueIds(values: unknown) {
  const parsed = category.fields.values.parse(values)
  let last = Math.max(0, ...parsed.map(({ value_id }) => value_id ?? 0))
  return parsed.map(value => {
    if (value.value_id !== null) return value
    last += 1
    return { ...value, value_id: last }
  })
}
