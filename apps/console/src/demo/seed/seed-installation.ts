import { permissions } from '@emma/contract/permissions.ts'
import type { Widget } from '@emma/contract/resources/dashboard.ts'
import { initialValues } from '@emma/contract/resource-schemas.ts'
import { imapSetting } from '@emma/contract/resources/imap-setting.ts'
import { demoClientId } from '@emma/contract/session.ts'
import type {
  DemoAlert,
  DemoCapping,
  DemoCategory,
  DemoDashboard,
  DemoDomain,
  DemoImapLogin,
  DemoImapSetting,
  DemoMailclass,
  DemoPreset,
  DemoReportingGroup,
  DemoRole,
  DemoUser,
} from '../demo-records.ts'
import { daysBack } from './random.ts'
import { plain } from './seed-audience.ts'
import { common, firstKey, type Seeding } from './seeding.ts'

const testProviders = ['Gmail', 'GMX', 'WEB.DE']

export function seedMailServers({ now }: Seeding): DemoImapSetting[] {
  return testProviders.map((provider, at) => ({
    ...common(daysBack(now, 300 - at)),
    ...initialValues(imapSetting),
    setting_id: firstKey + at,
    provider,
    protocol: 'testbed',
    port: 993,
    tls: 'tls',
    auth: 'password',
    oauth_client_secret_set: false,
  }))
}

export function seedMailboxes({ now, texts }: Seeding): DemoImapLogin[] {
  return testProviders.map((provider, at) => {
    const email = `${texts.domain.split('.')[0]}.test@${provider.toLowerCase().replace('.', '')}.test`
    return {
      ...common(daysBack(now, 300 - at)),
      login_id: firstKey + at,
      setting_id: firstKey + at,
      email,
      username: email,
      password: null,
      password_set: true,
      active: true,
      last_poll: daysBack(now, 0).toISOString(),
      last_error: null,
    }
  })
}

export function seedAlerts({ now, texts }: Seeding): DemoAlert[] {
  const shared = { ...common(daysBack(now, 120)), notify_email: `team@${texts.domain}`, notify_sms: null }
  const read = { active: true, checked_at: daysBack(now, 0).toISOString(), window: 1_440 }
  return [
    {
      ...shared,
      ...read,
      id: firstKey,
      name: texts.alerts.bounces,
      metric: 'bounce_rate',
      operator: 'gte',
      threshold: 5,
      state: 'ok',
      value: 1.4,
      fired_at: null,
    },
    {
      ...shared,
      ...read,
      id: firstKey + 1,
      name: texts.alerts.inbox,
      metric: 'ipci_inbox',
      operator: 'lt',
      threshold: 80,
      state: 'firing',
      value: 75,
      fired_at: daysBack(now, 1).toISOString(),
    },
  ]
}

export function seedDomains({ texts, now }: Seeding): DemoDomain[] {
  const names = [texts.domain, texts.domain.replace('news.', 'service.')]
  return names.map((name, at) => {
    const records = [
      { type: 'TXT' as const, host: name, expected: `v=spf1 include:_spf.${name} -all` },
      { type: 'TXT' as const, host: `emma._domainkey.${name}`, expected: 'v=DKIM1; k=rsa; p=MIIBIjANBgkq' },
      { type: 'TXT' as const, host: `_dmarc.${name}`, expected: 'v=DMARC1; p=quarantine' },
      { type: 'CNAME' as const, host: `t.${name}`, expected: `tracking.${name}` },
    ]
    return {
      ...common(daysBack(now, 600 - at)),
      domain_id: firstKey + at,
      name,
      purpose: 'both',
      in_pool: true,
      status: 'verified',
      return_path_host: `bounce.${name}`,
      tracking_host: `t.${name}`,
      dkim_selector: 'emma',
      dkim_keys: [{ selector: 'emma', algorithm: 'rsa', public_txt: 'v=DKIM1; k=rsa; p=MIIBIjANBgkq' }],
      dns: records.map(record => ({ ...record, found: [record.expected], ok: true })),
      dmarc_policy: 'quarantine',
      spf_ok: true,
      dkim_ok: true,
      dmarc_ok: true,
      mx_ok: true,
      cname_ok: true,
      is_blocklisted: false,
      blocklists: [],
      last_check: daysBack(now, 0).toISOString(),
      warmup_start: null,
      warmup_volumes: [],
    }
  })
}

export function seedMailclasses({ now }: Seeding): DemoMailclass[] {
  const classes = [
    { name: 'newsletter', type: 'bulk' },
    { name: 'service', type: 'transactional' },
  ] as const
  return classes.map(({ name, type }, at) => ({
    ...common(daysBack(now, 600 - at)),
    mailclass_id: firstKey + at,
    name,
    description: null,
    type,
    listid: name,
    transport: 'testbed',
    smtp_host: null,
    smtp_port: null,
    smtp_tls: 'none',
    smtp_username: null,
    smtp_password: null,
    smtp_password_set: false,
    max_connections: 20,
    mta_headers: [],
    source_ips: [],
    login_ids: [],
    throttle: 0,
    throttle_unit: 'hour',
    login_mails: 0,
    login_unit: 'hour',
    login_connections: 0,
    send_ip: null,
    ip_mails: 0,
    ip_unit: 'hour',
    ip_connections: 0,
    provider_limits: [],
    warmup_start: null,
    warmup_volumes: [],
    overflow_mailclass_id: null,
    track_clicks_opens: true,
    active: true,
  }))
}

/** Demo users, and the logged-in user (R313). */
export function seedUsers({ texts, random, now, person }: Seeding): DemoUser[] {
  const others = Array.from({ length: 3 }, (_, at) => {
    const [firstname, lastname] = [random.pick(texts.firstnames), random.pick(texts.lastnames)]
    const username = `${plain(firstname)}.${plain(lastname)}`
    return { id: 1_000_000 + at, username, firstname, lastname, email: `${username}@${texts.domain}` }
  })
  return [person, ...others].map((someone, at) => ({
    ...common(daysBack(now, 365 - at)),
    ...someone,
    administrator: at === 1,
    superadmin: false,
    active: true,
    roles: [at === 1 ? 1 : 2],
    clients: [demoClientId],
    settings: [{ client_id: demoClientId, custom: {} }],
    isDemo: true,
    locked_until: null,
    has_second_factor: false,
    has_password: true,
  }))
}

export function seedRoles({ texts, now }: Seeding): DemoRole[] {
  return texts.roles.map((name, at) => ({
    ...common(daysBack(now, 700)),
    id: at + 1,
    name,
    permissions: permissions.filter(permission => at === 0 || permission.endsWith(':get')),
    is_administrator: at === 0,
    requires_second_factor: false,
  }))
}

export function seedCappings({ texts, now }: Seeding): DemoCapping[] {
  return [
    {
      ...common(daysBack(now, 400)),
      capping_id: firstKey,
      name: texts.capping,
      max_mails: 3,
      period_hours: 168,
      scope: 'client',
    },
  ]
}

export function seedPresets({ texts, now }: Seeding): DemoPreset[] {
  const values = { throttle: 20_000, throttle_unit: 'hour' as const, quiet_from: '22:00', quiet_to: '07:00' }
  return [
    { ...common(daysBack(now, 300)), preset_id: firstKey, name: texts.preset, values, is_default: false },
  ]
}

export function seedCategories({ texts, now }: Seeding): DemoCategory[] {
  const colors = ['#2563eb', '#d97706', '#16a34a']
  return [
    {
      ...common(daysBack(now, 400)),
      category_id: firstKey,
      name: texts.category.name,
      is_multi: false,
      is_required: false,
      values: texts.category.values.map((label, at) => ({
        value_id: firstKey + at,
        label,
        color: colors[at] ?? null,
        active: true,
      })),
    },
  ]
}

export function seedReportingGroups({ texts, now }: Seeding): DemoReportingGroup[] {
  const members = [
    [0, 2, 5],
    [1, 3, 11],
  ]
  return texts.groups.map((name, at) => ({
    ...common(daysBack(now, 200 - at)),
    reportinggroup_id: firstKey + at,
    name,
    description: null,
    campaign_ids: (members[at] ?? []).map(position => campaignKey(texts.mails.length, position)),
    category_value_ids: [],
    started_from: null,
    started_to: null,
    campaigns: members[at]?.length ?? 0,
  }))
}

/** The newest campaign has the highest id. */
export function campaignKey(campaigns: number, position: number): number {
  return firstKey + campaigns - 1 - position
}

export function seedDashboards({ texts, now, person }: Seeding): DemoDashboard[] {
  const [first, second] = texts.dashboards
  const week: Widget[] = [
    { id: 'overview', type: 'overview', x: 0, y: 0, w: 12, h: 2 },
    { id: 'volume', type: 'volume', x: 0, y: 2, w: 6, h: 5 },
    { id: 'rates', type: 'rates', x: 6, y: 2, w: 6, h: 5 },
    { id: 'campaigns', type: 'campaigns', x: 0, y: 7, w: 12, h: 4 },
    { id: 'funnel', type: 'funnel', x: 0, y: 11, w: 6, h: 4 },
    { id: 'queue', type: 'queue', x: 6, y: 11, w: 6, h: 4 },
    { id: 'note', type: 'note', x: 0, y: 15, w: 12, h: 2, options: { text: texts.note } },
  ]
  const delivery: Widget[] = [
    { id: 'domains', type: 'domains', x: 0, y: 0, w: 6, h: 3 },
    { id: 'providers', type: 'providers', x: 6, y: 0, w: 6, h: 4 },
    { id: 'bounces', type: 'bounces', x: 0, y: 3, w: 6, h: 4 },
    { id: 'complaints', type: 'complaints', x: 6, y: 4, w: 6, h: 4 },
  ]
  return [
    { name: first, content: week, is_public: true },
    { name: second, content: delivery, is_public: false },
  ].map((dashboard, at) => ({
    ...common(daysBack(now, 90), person.id),
    dashboard_id: firstKey + at,
    ...dashboard,
  }))
}
