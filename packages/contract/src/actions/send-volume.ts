import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { instant } from '../fields.ts'
import { currencies, priceTiers } from '../price-tiers.ts'
import { checkFault } from '../schema-faults.ts'

/** Month by the client's clock: 2026-11. */
const invoiceMonth = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, checkFault('field.month'))

const count = z.int().nonnegative()

/** Emails of one month. `total`: those that are billed, which are all but tests. */
const monthVolume = z.object({
  invoice_month: invoiceMonth,
  campaign: count,
  recurring: count,
  transactional: count,
  /** Tests, seeds, proof copies and placement checks: not billed. */
  test: count,
  total: count,
  /** Most emails of the month; null: none is agreed. */
  limit: count.nullable(),
  /** In units of the currency, with two decimal places; null without price tiers. */
  price: z.number().nonnegative().nullable(),
  currency: z.enum(currencies),
  price_tiers: priceTiers,
  /** Time zone in which the month begins and ends. */
  timezone: z.string(),
  /** When the month was closed, after which it does not change; null: it is still counted. */
  closed_at: instant.nullable(),
})
export type MonthVolume = z.infer<typeof monthVolume>

/** Share of the limit from which on it is warned of. */
export const volumeWarning = 0.9

const base = {
  area: 'billing',
  permission: 'SendVolume:get',
  params: z.object({ client_id: z.coerce.number().int().positive() }),
} as const

const period = { from: invoiceMonth.optional(), to: invoiceMonth.optional() }

/** R185: send volume of a client by month, newest first. */
export const listSendVolume = defineAction({
  ...base,
  name: 'listSendVolume',
  paths: ['/v2/emma/client/{client_id}/send-volume'],
  query: z.object({
    ...period,
    limit: z.coerce.number().int().min(1).max(1000).default(25),
    offset: z.coerce.number().int().nonnegative().max(1_000_000).default(0),
  }),
  response: z.object({
    data: z.array(monthVolume),
    included: z.array(z.unknown()),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  }),
})

/** R045: the same months as CSV. */
export const downloadSendVolume = defineAction({
  ...base,
  name: 'downloadSendVolume',
  paths: ['/v2/emma/client/{client_id}/send-volume/download'],
  query: z.object(period),
  response: z.unknown(),
  answer: 'file',
})

/** Columns of the CSV. */
export const sendVolumeColumns = [
  'invoice_month',
  'campaign',
  'recurring',
  'transactional',
  'test',
  'total',
  'limit',
  'price',
  'currency',
  'closed_at',
] as const satisfies readonly (keyof MonthVolume)[]
