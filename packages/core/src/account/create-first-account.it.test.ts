import { verify } from '@node-rs/argon2'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAccount } from './create-account.ts'
import { createFirstAccount } from './create-first-account.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

test('two processes that start at once create one admin with a valid password', async () => {
  const accounts = await Promise.all([createFirstAccount(database.db), createFirstAccount(database.db)])
  const made = accounts.filter(account => account !== null)
  expect(made).toHaveLength(1)
  const stored = await database.db.selectFrom('app_user').selectAll().executeTakeFirstOrThrow()
  expect(stored).toMatchObject({ username: 'admin', superadmin: true, administrator: true })
  expect(await verify(stored.password_hash ?? '', made[0]?.password ?? '')).toBe(true)
})

test('the first account gets the given password', async () => {
  const account = await createFirstAccount(database.db, 'correct horse')
  expect(account?.password).toBe('correct horse')
})

test('an address is unique, ignoring case', async () => {
  await createAccount(database.db, { username: 'berta', email: 'berta@example.com' })
  await expect(createAccount(database.db, { username: 'other', email: 'Berta@example.com' })).rejects.toThrow(
    'There is an account with the address Berta@example.com already.',
  )
})

test('a username is unique, ignoring case', async () => {
  await createAccount(database.db, { username: 'Anna', email: 'anna@example.com' })
  await expect(createAccount(database.db, { username: 'anna', email: 'other@example.com' })).rejects.toThrow(
    'There is an account "anna" already.',
  )
})
