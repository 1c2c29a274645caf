import { initialValues } from '@emma/contract/resource-schemas.ts'
import type { DataField } from '@emma/contract/transactional/data-fields.ts'
import { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import type { DemoTransactional, DemoTransactionalMail } from '../demo-records.ts'
import { daysBack } from './random.ts'
import { common, firstKey, type Seeding } from './seeding.ts'

const field = (name: string, type: DataField['type'], example: string | null, fields: DataField[] = []) => ({
  name,
  type,
  required: true,
  example,
  fields,
})

const orderFields: DataField[] = [
  field('order_number', 'text', 'A-1001'),
  field('total', 'number', '48.90'),
  field('items', 'list', null, [field('title', 'text', 'Darjeeling'), field('amount', 'number', '2')]),
]

/** One transactional email with a key. */
export function seedTransactionals({ texts, now }: Seeding): DemoTransactional[] {
  return [
    {
      ...initialValues(transactionalcampaign),
      ...common(daysBack(now, 200)),
      id: firstKey,
      name: texts.transactional,
      slug: 'order-confirmation',
      domain_id: firstKey,
      mailclass_id: firstKey,
      message_id: firstKey,
      fromadr: 'orders@demo.example',
      fromname: 'Demo',
      data_fields: orderFields,
      key_hint: 'x7Qf',
      key_created_at: daysBack(now, 200).toISOString(),
    } as DemoTransactional,
  ]
}

/** Its emails of the last hours, newest first. */
export function seedTransactionalMails({ random, now }: Seeding): DemoTransactionalMail[] {
  return Array.from({ length: 60 }, (_, back) => {
    const at = new Date(now.getTime() - back * 11 * 60_000)
    const roll = random.share(0, 1)
    const state = roll < 0.03 ? 'rejected' : roll < 0.06 ? 'skipped' : 'sent'
    const isOpened = state === 'sent' && roll < 0.6
    const instant = at.toISOString()
    return {
      message_id: 1_000_000_000_060 - back,
      transactional_id: firstKey,
      email: `customer${String(60 - back).padStart(2, '0')}@shop-demo.example`,
      name: null,
      state,
      skip_reason: state === 'skipped' ? 'hardbounce' : null,
      fault: null,
      reply: state === 'rejected' ? '550 5.1.1 No such user' : state === 'sent' ? '250 2.0.0 OK' : null,
      created_at: instant,
      via_smtp: false,
      due_at: instant,
      recorded_at: state === 'skipped' ? null : instant,
      opened_at: isOpened ? new Date(at.getTime() + 240_000).toISOString() : null,
      clicked_at: null,
      bounced_at: state === 'rejected' ? instant : null,
      data: {
        order_number: `A-${2000 - back}`,
        total: random.between(1200, 9900) / 100,
        items: [{ title: 'Darjeeling', amount: random.between(1, 4) }],
      },
    }
  })
}
