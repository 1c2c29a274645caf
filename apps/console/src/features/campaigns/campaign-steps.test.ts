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

test('a step is open until all it needs is filled in', () => {
  expect(stepStates(empty)).toMatchObject({ content: 'todo', audience: 'todo', sender: 'todo' })
  expect(stepStates({ ...complete, fromadr: ' ' })).toMatchObject({ content: 'done', sender: 'todo' })
})

test('what the check found stands at the step that mends it', () => {
  const check = {
    errors: [{ field: 'domain_id' }],
    warnings: [{ field: 'message_id' }, { field: 'domain_id' }],
  }
  expect(stepStates(complete, check)).toMatchObject({
    content: 'warning',
    audience: 'done',
    sender: 'error',
    check: 'error',
  })
})

test('a check without findings is done', () => {
  expect(stepStates(complete, { errors: [], warnings: [] }).check).toBe('done')
  expect(stepStates(complete).check).toBe('todo')
})

test('fields of no section belong to the content', () => {
  expect(stepOfField('reply_to')).toBe('sender')
  expect(stepOfField('whatever')).toBe('content')
})

test('R282 a sending service takes the place of the mail class', () => {
  expect(stepStates({ ...complete, mailclass_id: null })).toMatchObject({ sender: 'todo' })
  expect(stepStates({ ...complete, mailclass_id: null, esp_id: 5 })).toMatchObject({ sender: 'done' })
})
