import { describe, expect, it } from 'vitest'
import { passedChecks } from './passed-checks.ts'

const campaign = { message_id: 4, tested_at: '2026-11-22T10:00:00Z' }
const finding = (code: string, field: string) => ({ code, field, message: code })

describe('passedChecks', () => {
  it('passes all checks without findings', () => {
    expect(passedChecks(campaign, { errors: [], warnings: [] })).toEqual([
      'content',
      'unsubscribe',
      'imprint',
      'audience',
      'sender',
      'route',
      'test',
    ])
  })

  it('passes no check with an error or a warning', () => {
    const errors = [finding('domain_unverified', 'domain_id'), finding('no-unsubscribe', 'message_id')]
    const warnings = [finding('no-imprint', 'message_id')]
    expect(passedChecks({ ...campaign, tested_at: null }, { errors, warnings })).toEqual([
      'content',
      'audience',
      'route',
    ])
  })

  it('does not pass the content check without a template', () => {
    const errors = [finding('required', 'message_id')]
    expect(passedChecks({ ...campaign, message_id: null }, { errors, warnings: [] })).toEqual([
      'audience',
      'sender',
      'route',
      'test',
    ])
  })
})
