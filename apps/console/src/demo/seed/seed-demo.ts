import type { Lang } from '../../shell/i18n/i18n.ts'
import type { DemoClient, DemoLegalDocument } from '../demo-records.ts'
import { type DemoEntity, demoEntities, type DemoKey, type DemoTables } from '../demo-tables.ts'
import { reportOf } from '../report-of.ts'
import { createRandom, dayOf } from './random.ts'
import {
  seedBlacklists,
  seedDatasources,
  seedSegments,
  seedSubscribers,
  seedTestGroups,
  seedTestSubscribers,
} from './seed-audience.ts'
import { seedCampaigns } from './seed-campaigns.ts'
import { seedMotds, seedPlaceholders, seedPmts, seedTemplates } from './seed-content.ts'
import { seedConfirmation, seedLegalDocument } from './seed-legal.ts'
import { seedRecurrings } from './seed-recurring.ts'
import { seedTransactionalMails, seedTransactionals } from './seed-transactional.ts'
import { seedWebforms } from './seed-web-forms.ts'
import { seedDoiReports, seedSendVolumes, seedTransactionalReports } from './seed-days.ts'
import {
  seedCappings,
  seedCategories,
  seedDashboards,
  seedDomains,
  seedAlerts,
  seedMailboxes,
  seedMailclasses,
  seedMailServers,
  seedPresets,
  seedReportingGroups,
  seedRoles,
  seedUsers,
} from './seed-installation.ts'
import type { DemoPerson, Seeding } from './seeding.ts'
import { demoTexts } from './texts.ts'

export interface DemoSeed {
  person: DemoPerson
  /** The clients that the user may access on the server. */
  clients: readonly DemoClient[]
  lang: Lang
  now: Date
}

type Rows = readonly (readonly [DemoKey, object])[]

/** All records of a new demo (R311, R312); the same for every user on the same day. */
export function demoRows({ person, clients, lang, now }: DemoSeed): Record<DemoEntity, Rows> {
  const random = createRandom(Number(dayOf(now).replaceAll('-', '')))
  const seeding: Seeding = { texts: demoTexts(lang), random, now, person }
  const domains = seedDomains(seeding)
  const mailclasses = seedMailclasses(seeding)
  const segments = seedSegments(seeding)
  const templates = seedTemplates(seeding, lang)
  const campaigns = seedCampaigns(seeding, { domains, mailclasses, segments, templates })
  const reports = campaigns.filter(({ started_at }) => started_at !== null).map(row => reportOf(row, now))
  const agb = seedLegalDocument(seeding, 'agb')
  const bav = seedLegalDocument(seeding, 'bav')
  const confirmationOf = (document: DemoLegalDocument): Rows => {
    const confirmation = seedConfirmation(seeding, document)
    return [[confirmation.id, confirmation]]
  }
  return {
    campaign: campaigns.map(row => [row.campagne_id, row]),
    report: reports.map(row => [row.campagne_id, row]),
    template: templates.map(row => [row.message_id, row]),
    template_version: [],
    multi_blacklist: [],
    subscriber: seedSubscribers(seeding).map(row => [row.member_id, row]),
    test_subscriber: seedTestSubscribers(seeding).map(row => [row.testaddress_id, row]),
    datasource: seedDatasources(seeding).map(row => [row.member_table_id, row]),
    dashboard: seedDashboards(seeding).map(row => [row.dashboard_id, row]),
    user: seedUsers(seeding).map(row => [row.id, row]),
    placeholder: seedPlaceholders(seeding, lang).map(row => [row.module_id, row]),
    pmt: seedPmts(seeding, lang).map(row => [row.pmt_id, row]),
    webform: seedWebforms(seeding).map(row => [row.webform_id, row]),
    reporting_group: seedReportingGroups(seeding).map(row => [row.reportinggroup_id, row]),
    motd: seedMotds(seeding).map(row => [row.id, row]),
    agb: [[agb.id, agb]],
    agb_confirm: confirmationOf(agb),
    bav: [[bav.id, bav]],
    bav_confirm: confirmationOf(bav),
    blacklist: seedBlacklists(seeding).map(row => [row.blacklist_id, row]),
    recurring: seedRecurrings(seeding).map(row => [row.recurring_id, row]),
    transactional: seedTransactionals(seeding).map(row => [row.id, row]),
    transactional_mail: seedTransactionalMails(seeding).map(row => [row.message_id, row]),
    transactional_report: seedTransactionalReports(seeding).map(row => [row.date, row]),
    doi_report: seedDoiReports(seeding).map(row => [row.date, row]),
    send_volume: seedSendVolumes(seeding).map(row => [row.invoice_month, row]),
    client: clients.map(row => [row.client_id, row]),
    domain: domains.map(row => [row.domain_id, row]),
    mailclass: mailclasses.map(row => [row.mailclass_id, row]),
    imap_setting: seedMailServers(seeding).map(row => [row.setting_id, row]),
    imap_login: seedMailboxes(seeding).map(row => [row.login_id, row]),
    alert: seedAlerts(seeding).map(row => [row.id, row]),
    ipci: [],
    segment: segments.map(row => [row.list_id, row]),
    role: seedRoles(seeding).map(row => [row.id, row]),
    test_group: seedTestGroups(seeding).map(row => [row.id, row]),
    campaign_preset: seedPresets(seeding).map(row => [row.preset_id, row]),
    campaign_approval: [],
    campaign_comment: [],
    campaign_queue: [],
    capping: seedCappings(seeding).map(row => [row.capping_id, row]),
    category: seedCategories(seeding).map(row => [row.category_id, row]),
    settings: [[seedKey, { person: person.id, day: dayOf(now) }]],
  }
}

/** Key of the record with the user and the day of the demo. */
const seedKey = 'seed'

/** Seeds the tables, unless they contain this user's demo of today. */
export async function seedDemo(tables: DemoTables, seed: DemoSeed): Promise<void> {
  const made = await tables<{ person: number; day: string }>('settings').get(seedKey)
  if (made?.person === seed.person.id && made.day === dayOf(seed.now)) return
  await reseedDemo(tables, seed)
}

/**
 * Discards all changes and seeds again. The seed record is written last, so that an interrupted seeding is repeated.
 */
export async function reseedDemo(tables: DemoTables, seed: DemoSeed): Promise<void> {
  const rows = demoRows(seed)
  await tables('settings').clear()
  for (const entity of demoEntities) {
    const table = tables<object>(entity)
    // oxlint-disable-next-line no-await-in-loop -- the seed record is in the last table
    await table.clear().then(() => table.putAll(rows[entity]))
  }
}
