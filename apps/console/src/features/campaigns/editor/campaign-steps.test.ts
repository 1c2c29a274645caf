import { expect, test } from 'vitest'
import { stepOfField, stepStates } from './campaign-steps.ts'

const empty = {
  name: '',
  message_id: null,
  list_id: null,
  domain_id: null,
  fromadr: null,
  mailclass_id: null,
  esp_id: null,
}
const complete = {
  name: 'Autumn',
  message_id: 1,
  list_id: 2,
  domain_id: 3,
  fromadr: 'news@example.com',
  mailclass_id: 4,
  esp_id: null,
}

test('a step is `todo` until its required fields are set', () => {
  expect(stepStates(empty, null)).toMatchObject({ content: 'todo', audience: 'todo', sender: 'todo' })
  expect(stepStates({ ...complete, fromadr: ' ' }, null)).toMatchObject({ content: 'done', sender: 'todo' })
})

test('findings of the check mark the step of their field', () => {
  const check = {
    errors: [{ field: 'domain_id' }],
    warnings: [{ field: 'message_id' }, { field: 'domain_id' }],
  }
  expect(stepStates(complete, null, check)).toMatchObject({
    content: 'warning',
    audience: 'done',
    sender: 'error',
    check: 'error',
  })
})

test('a missing approval marks the check alone, where it is given', () => {
  const check = { errors: [{ field: 'approval' }], warnings: [] }
  expect(stepStates(complete, null, check)).toMatchObject({ content: 'done', check: 'error' })
})

test('a check without findings is done', () => {
  expect(stepStates(complete, null, { errors: [], warnings: [] }).check).toBe('done')
  expect(stepStates(complete, null).check).toBe('todo')
})

test('fields without a section belong to the content', () => {
  expect(stepOfField('reply_to')).toBe('sender')
  expect(stepOfField('whatever')).toBe('content')
})

test('R282 a sending service replaces the mail class', () => {
  expect(stepStates({ ...complete, mailclass_id: null }, null)).toMatchObject({ sender: 'todo' })
  expect(stepStates({ ...complete, mailclass_id: null, esp_id: 5 }, null)).toMatchObject({ sender: 'done' })
})

test('the test step is done until the message changes after the test', () => {
  const tested_at = '2026-11-22T10:00:00Z'
  const message = (updated_at: string) => ({ name: 'News', updated_at })
  const testOf = (saved: { tested_at: string | null; message?: unknown }) => stepStates(complete, saved).test
  expect(testOf({ tested_at: null })).toBe('todo')
  expect(testOf({ tested_at })).toBe('done')
  expect(testOf({ tested_at, message: message('2026-11-22T09:00:00Z') })).toBe('done')
  expect(testOf({ tested_at, message: message('2026-11-22T10:00:01Z') })).toBe('todo')
})
