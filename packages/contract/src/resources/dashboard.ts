import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { id, line, name, text } from '../fields.ts'

/** Widgets whose figures the server has under `/view/dashboard/{type}/` (R232). */
export const viewTypes = [
  'overview',
  'campaigns',
  'funnel',
  'volume',
  'rates',
  'bounces',
  'complaints',
  'links',
  'providers',
  'domains',
  'subscribers',
  'doi',
  'imports',
  'queue',
  'quota',
  'motd',
] as const

export type ViewType = (typeof viewTypes)[number]

export const widgetTypes = [...viewTypes, 'note'] as const
export type WidgetType = (typeof widgetTypes)[number]

/** Days a widget may look back. */
export const widgetDays = [7, 14, 30, 90, 365] as const

/** What a widget shows the figures of: everything of the client of the last 30 days, unless told otherwise. */
const widgetOptions = z.strictObject({
  days: z.union(widgetDays.map(days => z.literal(days))).optional(),
  /** Another client than the dashboard's. */
  client_id: id.optional(),
  member_table_id: id.optional(),
  /** Campaigns to this segment, this campaign, the campaigns of this group. */
  list_id: id.optional(),
  campagne_id: id.optional(),
  reportinggroup_id: id.optional(),
  /** What a note says. */
  text: text(2000).optional(),
})

export type WidgetOptions = z.infer<typeof widgetOptions>

/** Columns of the grid; a widget's place and size are in its cells. */
export const gridColumns = 12
export const mostWidgets = 30

const place = z.int().min(0)

export const widget = z.strictObject({
  /** Told apart by it while the dashboard is changed. */
  id: line(40),
  type: z.enum(widgetTypes),
  title: line(120).optional(),
  x: place.max(gridColumns - 1),
  y: place.max(500),
  w: place.min(1).max(gridColumns),
  h: place.min(1).max(30),
  options: widgetOptions.optional(),
})

export type Widget = z.infer<typeof widget>

/** A dashboard: widgets on a grid, kept as JSON (D2 §3). A private one is its maker's, a public one the client's. */
export const dashboard = defineResource({
  name: 'dashboard',
  area: 'dashboard',
  entity: 'Dashboard',
  key: 'dashboard_id',
  label: 'name',
  paths: ['/dashboard/'],
  tenant: true,
  fields: {
    dashboard_id: id,
    name,
    content: z.array(widget).max(mostWidgets).default([]),
    is_public: z.boolean().default(false),
  },
  readOnly: [],
  required: { create: ['name'] },
  filters: { visibility: { operator: 'special', value: z.enum(['private', 'public']) } },
  search: ['name'],
  sort: ['name'],
  included: {},
})
