import type { Permission } from '@emma/contract/permissions.ts'
import type { WidgetOptions, WidgetType } from '@emma/contract/resources/dashboard.ts'

/** Settings of a widget type. */
export type WidgetSetting = Exclude<keyof WidgetOptions, 'client_id'>

export interface WidgetKind {
  /** Initial size in grid cells. */
  w: number
  h: number
  settings: readonly WidgetSetting[]
  /** Screen with the details, and the permission to open it. */
  source?: { path: string; right: Permission }
  /** Without padding, for tables. */
  isFlush?: boolean
  /** Without heading and frame, except in the editor. */
  isBare?: boolean
}

const campaigns = ['campagne_id', 'reportinggroup_id', 'list_id', 'member_table_id'] as const
const overTime = ['days', ...campaigns] as const
const reports = { path: '/campaigns/reports', right: 'EmmaReport:get' } as const
const archive = { path: '/campaigns/archive', right: 'EmmaCampaign:get' } as const
const members = { path: '/subscribers/archive', right: 'EmmaMember:get' } as const

/** All widget types, in menu order. */
export const widgetKinds: Record<WidgetType, WidgetKind> = {
  overview: { w: 12, h: 2, settings: [], source: members, isBare: true },
  queue: { w: 6, h: 4, settings: [], source: archive, isFlush: true },
  campaigns: { w: 12, h: 4, settings: campaigns, source: reports, isFlush: true },
  funnel: { w: 6, h: 4, settings: campaigns, source: reports },
  volume: { w: 6, h: 5, settings: overTime, source: reports },
  rates: { w: 6, h: 5, settings: overTime, source: reports },
  bounces: { w: 4, h: 4, settings: overTime, source: reports, isFlush: true },
  complaints: { w: 6, h: 5, settings: overTime, source: reports },
  links: { w: 6, h: 4, settings: overTime, source: reports, isFlush: true },
  providers: { w: 6, h: 4, settings: overTime, source: reports, isFlush: true },
  subscribers: { w: 6, h: 5, settings: ['days', 'member_table_id'], source: members },
  doi: { w: 4, h: 3, settings: ['member_table_id'], source: members, isFlush: true },
  domains: {
    w: 6,
    h: 4,
    settings: [],
    source: { path: '/settings/domains', right: 'EmmaDomain:get' },
    isFlush: true,
  },
  imports: {
    w: 6,
    h: 4,
    settings: ['member_table_id'],
    source: { path: '/subscribers/dataupload', right: 'DataUpload:get' },
    isFlush: true,
  },
  ipci: {
    w: 6,
    h: 4,
    settings: ['days'],
    source: { path: '/settings/testmailboxes', right: 'EmmaImapLogin:get' },
    isFlush: true,
  },
  quota: {
    w: 4,
    h: 3,
    settings: [],
    source: { path: '/subscribers/dataupload', right: 'DataUpload:get' },
  },
  motd: { w: 4, h: 3, settings: [], isFlush: true },
  note: { w: 4, h: 3, settings: ['text'] },
}
