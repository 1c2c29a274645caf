import { expect, it } from 'vitest'
import { mayLockRepeatedly } from './repeated-locks.ts'

const due = 'select id from mail where due_at <= now() limit $1 for update skip locked'
const waiting = due.replace(' skip locked', '')
const whole = due.replace(' limit $1', '')

it.each([
  ['UPDATE', `update mail m set state = 1 from (${due}) as due where m.id = due.id`],
  [
    'a join in UPDATE',
    `update mail m set state = 1 from (${due}) a join (select 1 as id) b using (id) where m.id = a.id`,
  ],
  ['UPDATE that waits for locks', `update mail m set state = 1 from (${waiting}) as due where m.id = due.id`],
  ['DELETE', `delete from mail m using (${due}) as due where m.id = due.id`],
  [
    'UPDATE in WITH',
    `with taken as (update mail m set state = 1 from (${due}) as due where m.id = due.id returning m.id) table taken`,
  ],
])('refuses a limited locking subquery in FROM of %s', async (_, text) => {
  expect(await mayLockRepeatedly(text)).toBe(true)
})

it.each([
  ['WITH', `with due as (${due}) update mail m set state = 1 from due where m.id = due.id`],
  ['a scalar subquery', `update mail set state = 1 where id = (${due})`],
  ['UPDATE without a limit', `update mail m set state = 1 from (${whole}) as due where m.id = due.id`],
  ['SELECT', `select * from (${due}) as due join mail using (id)`],
  ['what cannot be parsed', `update from (${due})`],
])('accepts it in %s', async (_, text) => {
  expect(await mayLockRepeatedly(text)).toBe(false)
})
