import type { DemoDoiReport, DemoSendVolume, DemoTransactionalReport } from '../demo-records.ts'
import { dayOf, daysBack } from './random.ts'
import type { Seeding } from './seeding.ts'

/** Number of days with figures. */
const days = 31

/** Figures of transactional messages by day, today first. */
export function seedTransactionalReports({ random, now }: Seeding): DemoTransactionalReport[] {
  return Array.from({ length: days }, (_, back) => {
    const send = random.between(1800, 2600)
    const [hard, soft, other] = [random.between(2, 8), random.between(3, 12), random.between(0, 3)]
    const delivered = send - hard - soft - other
    return {
      date: dayOf(daysBack(now, back)),
      nb_send: send,
      nb_delivered: delivered,
      nb_open: Math.round(delivered * random.share(0.55, 0.7)),
      nb_click: Math.round(delivered * random.share(0.2, 0.3)),
      nb_hardbounce: hard,
      nb_softbounce: soft,
      nb_otherbounce: other,
      nb_unsubscribe: 0,
      nb_complaint: random.between(0, 1),
      nb_preblock: random.between(0, 5),
    }
  })
}

/** Figures of double opt-in by day (R312): 200 to 250 requests, 160 to 180 confirmations and imports. */
export function seedDoiReports({ random, now }: Seeding): DemoDoiReport[] {
  return Array.from({ length: days }, (_, back) => {
    const entries = random.between(200, 250)
    const imports = random.between(160, 180)
    return {
      date: dayOf(daysBack(now, back)),
      entries,
      imports,
      requested: entries,
      sent: entries,
      confirmed: imports,
      expired: entries - imports,
      rate: Math.round((imports / entries) * 1000) / 10,
    }
  })
}

/** Twelve months with 100,000 to 400,000 messages (R312), the current one first. */
export function seedSendVolumes({ random, now }: Seeding): DemoSendVolume[] {
  return Array.from({ length: 12 }, (_, back) => {
    const total = random.between(100_000, 400_000)
    const transactional = Math.round(total * random.share(0.08, 0.12))
    const recurring = Math.round(total * random.share(0.05, 0.1))
    const month = new Date(now.getFullYear(), now.getMonth() - back, 1)
    return {
      invoice_month: dayOf(month).slice(0, 7),
      campaign: total - transactional - recurring,
      recurring,
      transactional,
      test: random.between(20, 90),
      total,
      limit: 500_000,
      price: Math.round(total * 0.09) / 100,
    }
  })
}
