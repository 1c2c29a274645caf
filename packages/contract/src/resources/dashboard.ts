import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { id, line, name, text } from '../fields.ts'

/** Widgets with figures from the server, `/view/dashboard/{type}/` (R232). */
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
  'ipci',
  'queue',
  'quota',
  'motd',
] as const

export type ViewType = (typeof viewTypes)[number]

export const widgetTypes = [...viewTypes, 'note'] as const
export type WidgetType = (typeof widgetTypes)[number]

/** Periods of a widget, in days. */
export const widgetDays = [7, 14, 30, 90, 365] as const

/** Scope of a widget's figures; default: all of the client in the last 30 days. */
const widgetOptions = z.strictObject({
  days: z.union(widgetDays.map(days => z.literal(days))).optional(),
  /** A client other than the dashboard's. */
  client_id: id.optional(),
  member_table_id: id.optional(),
  /** Campaigns to this segment, this campaign, or campaigns of this report group. */
  list_id: id.optional(),
  campagne_id: id.optional(),
  reportinggroup_id: id.optional(),
  /** Text of a note. */
  text: text(2000).optional(),
})

export type WidgetOptions = z.infer<typeof widgetOptions>

/** Columns of the grid, the unit of a widget's position and size. */
export const gridColumns = 12
export const mostWidgets = 30

const place = z.int().min(0)

export const widget = z.strictObject({
  /** Identifies the widget while the dashboard is edited. */
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

/**
 * A dashboard: widgets on a grid, stored as JSON (D2 §3). A private one belongs to its creator, a public one to the
 * client.
 */
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
