import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import type {
  DemoBlacklist,
  DemoDatasource,
  DemoSegment,
  DemoSubscriber,
  DemoTestGroup,
  DemoTestSubscriber,
} from '../demo-records.ts'
import { dayOf, daysBack } from './random.ts'
import { common, firstKey, type Seeding } from './seeding.ts'

/** Number of stored subscribers; the counters of the datasources are larger. */
const subscribers = 300

export function seedDatasources({ texts, random, now }: Seeding): DemoDatasource[] {
  return texts.datasources.map((name, at) => {
    const active = random.between(305_000, 330_000) - at * random.between(2000, 5000)
    const [unsubscribed, hard] = [random.between(9000, 14_000), random.between(3000, 5000)]
    const [complaint, pending] = [random.between(80, 160), random.between(200, 400)]
    return {
      ...common(daysBack(now, 700)),
      member_table_id: firstKey + at,
      name,
      description: null,
      doi_required: at === 0,
      doi_request_new: false,
      doi_reminder_days: 0,
      emmamembertableschema: columnsOf(texts.columns),
      stats_total: active + unsubscribed + hard + complaint + pending,
      stats_active: active,
      stats_unsubscribed: unsubscribed,
      stats_hardbounce: hard,
      stats_softbounce: random.between(1000, 3000),
      stats_complaint: complaint,
      stats_pending: pending,
      stats_at: daysBack(now, 0).toISOString(),
    }
  })
}

function columnsOf(labels: Seeding['texts']['columns']): MemberColumn[] {
  return [
    column('email', 'Email', 'email', { is_key: true, nullable: false, is_fixed: true, is_pii: true }),
    column('datejoin', 'Joined', 'datetime', { nullable: false, is_fixed: true }),
    column('dateunjoin', 'Unsubscribed', 'datetime', { is_fixed: true }),
    column('last_opened_at', 'Last open', 'datetime', { is_fixed: true }),
    column('last_clicked_at', 'Last click', 'datetime', { is_fixed: true }),
    column('firstname', labels.firstname, 'string', { is_pii: true }),
    column('lastname', labels.lastname, 'string', { is_pii: true }),
    column('city', labels.city, 'string', { is_pii: true }),
    column('birthday', labels.birthday, 'date', { is_pii: true }),
    column('points', labels.points, 'int'),
  ].map((made, position) => ({ ...made, schema_id: firstKey + position, position }))
}

function column(
  column_name: string,
  label: string,
  data_type: MemberColumn['data_type'],
  more: Partial<MemberColumn> = {},
): MemberColumn {
  const plainColumn = { length: null, options: [], is_key: false, nullable: true, is_filterable: true }
  return {
    column_name,
    label,
    data_type,
    ...plainColumn,
    is_pii: false,
    topic: null,
    is_fixed: false,
    position: 0,
    ...more,
  }
}

/** Segments as large as the campaigns sent to them (R312). */
export function seedSegments({ texts, random, now }: Seeding): DemoSegment[] {
  return texts.segments.map((name, at) => ({
    ...common(daysBack(now, 400 - at)),
    list_id: firstKey + at,
    name,
    member_table_id: firstKey,
    kind: 'dynamic',
    query:
      at === 0 ? null : { combinator: 'and', rules: [{ field: 'points', operator: '>=', value: at * 100 }] },
    include_unsubscribed: false,
    count: random.between(250_000, 300_000),
    counted_at: daysBack(now, 0).toISOString(),
  }))
}

export function seedSubscribers({ texts, random, now, person }: Seeding): DemoSubscriber[] {
  return Array.from({ length: subscribers }, (_, at) => {
    const [firstname, lastname] = [random.pick(texts.firstnames), random.pick(texts.lastnames)]
    const joined = random.between(1, 700)
    const hasLeft = random.next() < 0.06
    const hasBounced = !hasLeft && random.next() < 0.03
    const email = `${plain(firstname)}.${plain(lastname)}${at}@mail.example`
    const opened = daysBack(now, random.between(0, Math.min(joined, 40))).toISOString()
    return {
      ...common(daysBack(now, joined), person.id),
      updated_at: opened,
      member_id: firstKey + at,
      member_table_id: at % 4 === 3 ? firstKey + 1 : firstKey,
      email,
      email_hash: random.next().toString(16).slice(2).padEnd(64, '0'),
      active: !hasLeft && !hasBounced,
      datejoin: daysBack(now, joined).toISOString(),
      dateunjoin: hasLeft ? daysBack(now, random.between(0, joined)).toISOString() : null,
      source: random.pick(['webform', 'shop', 'upload']),
      doi_state: 'confirmed',
      doi_at: daysBack(now, joined).toISOString(),
      doi_ip: null,
      hardbounced_at: hasBounced ? opened : null,
      softbounce_count: random.next() < 0.05 ? 1 : 0,
      complained_at: null,
      last_sent_at: daysBack(now, 1).toISOString(),
      last_opened_at: opened,
      last_clicked_at: random.next() < 0.6 ? opened : null,
      firstname,
      lastname,
      city: random.pick(texts.cities),
      birthday: dayOf(daysBack(now, random.between(7000, 25_000))),
      points: random.between(0, 400),
      open_rate: random.between(20, 30),
      click_rate: random.between(20, 30),
    }
  })
}

export function seedTestSubscribers({ texts, random, now }: Seeding): DemoTestSubscriber[] {
  const types = ['testaddr', 'testaddr', 'testaddr', 'global_seed', 'beleg', 'imapuser'] as const
  return types.map((type, at) => {
    const [firstname, lastname] = [random.pick(texts.firstnames), random.pick(texts.lastnames)]
    return {
      ...common(daysBack(now, 300 - at)),
      testaddress_id: firstKey + at,
      email: `${plain(firstname)}.${plain(lastname)}@${texts.domain}`,
      addr_type: type,
      active: true,
      firstname,
      lastname,
      member_data: { city: random.pick(texts.cities) },
    }
  })
}

export function seedTestGroups({ texts, now }: Seeding): DemoTestGroup[] {
  const address_ids = [firstKey, firstKey + 1, firstKey + 2]
  return [
    { ...common(daysBack(now, 300)), id: firstKey, name: texts.testGroup, address_ids, is_default: true },
  ]
}

export function seedBlacklists({ texts, random, now }: Seeding): DemoBlacklist[] {
  return texts.blacklists.map((name, at) => {
    const entries = Array.from({ length: 12 }, (_, index) => ({
      value:
        at === 0
          ? `rival-${index + 1}.example`
          : `${plain(random.pick(texts.lastnames))}${index}@mail.example`,
      reason: null,
      source: 'console',
      added_by: null,
      created_at: daysBack(now, random.between(1, 200)).toISOString(),
      expires_at: null,
    }))
    return {
      ...common(daysBack(now, 380 - at)),
      blacklist_id: firstKey + at,
      name,
      kind: at === 0 ? 'campaign' : 'client',
      match: at === 0 ? 'domain' : 'email',
      count: entries.length,
      entries,
    }
  })
}

/** Converts a name for use in an email address: lowercase letters without accents. */
export function plain(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[^a-z]/g, '')
}
