import { expect, test } from 'vitest'
import { checksOf, markOf } from './verdict-checks.ts'

const signature = {
  domain: 'a.test',
  selector: 'emma',
  algorithm: 'rsa-sha256',
  result: 'pass',
  comment: '',
}
const spf = { domain: 'bounce.a.test', result: 'softfail' }
const dmarc = { domain: 'a.test', result: 'pass', policy: 'reject' }

test('lists every signature, then SPF and DMARC', () => {
  const verdict = {
    verified: 'pass' as const,
    reason: '',
    dkim: [signature, { ...signature, selector: 'emma-ed', algorithm: 'ed25519-sha256' }],
    spf,
    dmarc,
  }
  expect(checksOf(verdict).map(check => [check.kind, check.selector, check.result, check.policy])).toEqual([
    ['dkim', 'emma', 'pass', ''],
    ['dkim', 'emma-ed', 'pass', ''],
    ['spf', '', 'softfail', ''],
    ['dmarc', '', 'pass', 'reject'],
  ])
})

test('reports a missing signature of a checked message', () => {
  const [first] = checksOf({ verified: 'fail', reason: '', dkim: [], spf, dmarc: null })
  expect(first).toMatchObject({ kind: 'dkim', result: 'none' })
})

test('reports nothing for an unchecked message', () => {
  expect(checksOf({ verified: 'not sampled', reason: '', dkim: [], spf: null, dmarc: null })).toEqual([])
})

test('an unknown result is never a pass', () => {
  expect(markOf('pass')).toBe('right')
  expect(['fail', 'permerror'].map(markOf)).toEqual(['wrong', 'wrong'])
  expect(['softfail', 'none', 'neutral', 'constructor', ''].map(markOf)).toEqual(
    Array.from({ length: 5 }, () => 'doubtful'),
  )
  expect(['temperror', 'not sampled'].map(markOf)).toEqual(['unknown', 'unknown'])
})
