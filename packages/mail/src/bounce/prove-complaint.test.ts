import { expect, it } from 'vitest'
import { signRaw, testKeys, testSigner } from '../test/sign-raw.ts'
import { proveComplaint } from './prove-complaint.ts'
import { complaintReport } from '../test/complaint-report.ts'

const loop = testSigner('loop.example')
const prove = (raw: Buffer) => proveComplaint(raw, ['loop.example'], testKeys(loop))

it('R104 a complaint is verified by the signature of a trusted feedback loop', async () => {
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
  ['names no recipient itself, whatever the reported message contains', complaintReport({ recipient: '' })],
  ['is not a complaint', complaintReport({ feedbackType: 'not-spam' })],
  ['is an opt-out', complaintReport({ feedbackType: 'opt-out' })],
  [
    'names two recipients',
    complaintReport({ recipient: 'ann@gmx.test>\r\nOriginal-Rcpt-To: <ben@gmx.test' }),
  ],
  [
    'is inside the reported message, which its sender wrote',
    complaintReport({ recipient: '', original: nested }),
  ],
  [
    'is not a multipart/report',
    Buffer.from(complaintReport().toString().replace('multipart/report', 'multipart/mixed')),
  ],
])('R104 a signed report proves nothing when it %s', async (_, report) => {
  expect(await prove(signRaw(report, loop))).toBeNull()
})

it('R104 a report inside the reported message does not hide the outer one', async () => {
  const proof = await prove(signRaw(complaintReport({ original: nested }), loop))
  expect(proof?.address).toBe('ann@gmx.test')
})
