import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSecret, secretFile } from '../secret-key.ts'
import { checkNode, checkSecretFile, judgeClock, judgeDisk } from './installation-checks.ts'

const GB = 1024 ** 3

test.each([
  ['18.20.1', 'problem'],
  ['24.0.0', 'fine'],
  ['26.1.0', 'fine'],
])('Node %s is a %s', (version, state) => {
  expect(checkNode(version).state).toBe(state)
})

test.each([
  [0.5, 'problem'],
  [3, 'warning'],
  [50, 'fine'],
])('%d GB of free disk is a %s', (free, state) => {
  expect(judgeDisk(free * GB, 100 * GB).state).toBe(state)
})

test.each([
  [500, 'fine'],
  [-500, 'fine'],
  [10_000, 'warning'],
  [-60_000, 'problem'],
])('a drift of %d ms is a %s', (drift, state) => {
  expect(judgeClock(drift).state).toBe(state)
})

test('a negative drift means the clock is behind', () => {
  expect(judgeClock(-60_000).words).toContain('60.0 s behind')
})

test('a secret key that others may read is a problem', () => {
  const folder = mkdtempSync(join(tmpdir(), 'emma-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  openSecret(folder)
  expect(checkSecretFile(folder).state).toBe('fine')
  chmodSync(secretFile(folder), 0o644)
  expect(checkSecretFile(folder)).toMatchObject({
    state: 'problem',
    words: expect.stringContaining('chmod 600'),
  })
})
