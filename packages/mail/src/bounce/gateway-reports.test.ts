import { describe, expect, it } from 'vitest'
import { parseInbound } from './parse-inbound.ts'
import { furtherReports } from '../test/further-reports.ts'
import { gatewayReports } from '../test/gateway-reports.ts'
import { type LabelledMail, RECIPIENT } from '../test/labelled-mail.ts'
import { notices } from '../test/notices.ts'
import { unseenReports } from '../test/unseen-reports.ts'

function expectRead(mail: LabelledMail): void {
  const { kind, recipients } = read(mail)
  expect(kind).toBe(mail.kind)
  if (mail.class === undefined) return
  expect(recipients).toMatchObject([{ address: RECIPIENT, class: mail.class, hard: mail.hard }])
}

const read = ({ lines }: LabelledMail) => parseInbound(Buffer.from(lines.join('\n')))

describe('reports of servers and gateways', () => {
  it.each([...gatewayReports, ...furtherReports].map(mail => [mail.name, mail] as const))('%s', (_, mail) => {
    expectRead(mail)
  })
})

describe('notices, receipts and warnings', () => {
  it.each(notices.map(mail => [mail.name, mail] as const))('%s', (_, mail) => {
    expectRead(mail)
  })
})

describe('reports that were not used for development', () => {
  const reports = unseenReports.filter(mail => mail.class !== undefined)
  const share = (mails: readonly LabelledMail[], isRight: (mail: LabelledMail) => boolean) =>
    mails.filter(mail => isRight(mail)).length / mails.length

  it('are classified correctly', () => {
    expect(share(unseenReports, mail => read(mail).kind === mail.kind)).toBeGreaterThanOrEqual(0.97)
  })

  it('mark invalid addresses as hard bounces', () => {
    expect(share(reports, mail => read(mail).recipients[0]?.hard === mail.hard)).toBeGreaterThanOrEqual(0.92)
  })

  it('have a reason', () => {
    expect(share(reports, mail => read(mail).recipients[0]?.class === mail.class)).toBeGreaterThanOrEqual(
      0.87,
    )
  })

  it('are not found in mail that is not a report', () => {
    const others = unseenReports.filter(mail => mail.class === undefined)
    const taken = others.filter(mail => ['bounce', 'delayed'].includes(read(mail).kind))
    expect(taken.map(({ name }) => name)).toEqual([])
  })
})
