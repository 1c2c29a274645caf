import { expect, it } from 'vitest'
import { signRaw, testKeys, testSigner } from '../test/sign-raw.ts'
import { proveComplaint } from './prove-complaint.ts'
import { complaintReport } from '../test/complaint-report.ts'

const loop = testSigner('loop.example')
const prove = (raw: Buffer) => proveComplaint(raw, ['loop.example'], testKeys(loop))

it('R104 a complaint is proven by the signature of a trusted feedback loop', async () => {
  expect(await prove(signRaw(complaintReport(), loop))).toEqual({
    address: 'ann@gmx.test',
    signedBy: 'loop.example',
  })
  expect(await prove(complaintReport())).toBeNull()
})

const nested = `Content-Type: multipart/report; report-type=feedback-report; boundary=inner

--inner
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: x
Original-Rcpt-To: <victim@gmx.test>

--inner--`.replaceAll('\n', '\r\n')

it.each([
  ['names nobody itself, whatever the reported mail says', complaintReport({ recipient: '' })],
  ['is no complaint', complaintReport({ feedbackType: 'not-spam' })],
  ['is an opt-out', complaintReport({ feedbackType: 'opt-out' })],
  ['names two people', complaintReport({ recipient: 'ann@gmx.test>\r\nOriginal-Rcpt-To: <ben@gmx.test' })],
  ['is in the reported mail, which its sender wrote', complaintReport({ recipient: '', original: nested })],
  [
    'is no multipart/report',
    Buffer.from(complaintReport().toString().replace('multipart/report', 'multipart/mixed')),
  ],
])('R104 a signed report proves nothing when it %s', async (_, report) => {
  expect(await prove(signRaw(report, loop))).toBeNull()
})

it('R104 a report inside of the reported mail does not hide the real one', async () => {
  const proof = await prove(signRaw(complaintReport({ original: nested }), loop))
  expect(proof?.address).toBe('ann@gmx.test')
})
