import type { Permission } from '@emma/contract/permissions.ts'
import type { WidgetOptions, WidgetType } from '@emma/contract/resources/dashboard.ts'
import {
  type Icon,
  IconAlertTriangle,
  IconArrowBackUp,
  IconChartBar,
  IconChartLine,
  IconDatabase,
  IconFilter,
  IconGauge,
  IconLink,
  IconList,
  IconMailCheck,
  IconNote,
  IconProgress,
  IconServer,
  IconUpload,
  IconUsers,
  IconWorldCheck,
} from '@tabler/icons-react'

/** The settings a kind of widget has. */
export type WidgetSetting = Exclude<keyof WidgetOptions, 'client_id'>

export interface WidgetKind {
  icon: Icon
  /** Size of a new one, in cells of the grid. */
  w: number
  h: number
  settings: readonly WidgetSetting[]
  /** Where its figures come from, and the right to go there. */
  source?: { path: string; right: Permission }
  /** Content up to the edge: tables. */
  isFlush?: boolean
  /** Needs neither heading nor frame of its own, except while the dashboard is changed. */
  isBare?: boolean
}

const campaigns = ['campagne_id', 'reportinggroup_id', 'list_id', 'member_table_id'] as const
const overTime = ['days', ...campaigns] as const
const reports = { path: '/campaigns/reports', right: 'EmmaReport:get' } as const
const archive = { path: '/campaigns/archive', right: 'EmmaCampaign:get' } as const
const members = { path: '/subscribers/archive', right: 'EmmaMember:get' } as const

/** Every kind of widget, in the order in which they are offered. */
export const widgetKinds: Record<WidgetType, WidgetKind> = {
  overview: { icon: IconGauge, w: 12, h: 2, settings: [], source: members, isBare: true },
  queue: { icon: IconProgress, w: 6, h: 4, settings: [], source: archive, isFlush: true },
  campaigns: { icon: IconList, w: 12, h: 4, settings: campaigns, source: reports, isFlush: true },
  funnel: { icon: IconFilter, w: 6, h: 4, settings: campaigns, source: reports },
  volume: { icon: IconChartBar, w: 6, h: 5, settings: overTime, source: reports },
  rates: { icon: IconChartLine, w: 6, h: 5, settings: overTime, source: reports },
  bounces: { icon: IconArrowBackUp, w: 4, h: 4, settings: overTime, source: reports, isFlush: true },
  complaints: { icon: IconAlertTriangle, w: 6, h: 5, settings: overTime, source: reports },
  links: { icon: IconLink, w: 6, h: 4, settings: overTime, source: reports, isFlush: true },
  providers: { icon: IconServer, w: 6, h: 4, settings: overTime, source: reports, isFlush: true },
  subscribers: { icon: IconUsers, w: 6, h: 5, settings: ['days', 'member_table_id'], source: members },
  doi: { icon: IconMailCheck, w: 4, h: 3, settings: ['member_table_id'], source: members, isFlush: true },
  domains: {
    icon: IconWorldCheck,
    w: 6,
    h: 4,
    settings: [],
    source: { path: '/settings/domains', right: 'EmmaDomain:get' },
    isFlush: true,
  },
  imports: {
    icon: IconUpload,
    w: 6,
    h: 4,
    settings: ['member_table_id'],
    source: { path: '/subscribers/dataupload', right: 'DataUpload:get' },
    isFlush: true,
  },
  quota: {
    icon: IconDatabase,
    w: 4,
    h: 3,
    settings: [],
    source: { path: '/subscribers/dataupload', right: 'DataUpload:get' },
  },
  note: { icon: IconNote, w: 4, h: 3, settings: ['text'] },
}
