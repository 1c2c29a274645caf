import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closeDataFolder, findOpenPaths, makeDataFolder } from './data-folder.ts'

let parent: string
let folder: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'emma-folder-'))
  folder = join(parent, 'data')
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

const modeOf = (name: string) => statSync(join(folder, name)).mode & 0o1777

test('data folder: a new one is not readable by others', () => {
  makeDataFolder(folder)
  expect(modeOf('.') & 0o066).toBe(0)
  expect(findOpenPaths(folder)).toEqual([])
})

test('data folder: permissions of an earlier version are corrected', () => {
  makeDataFolder(folder)
  chmodSync(folder, 0o755)
  for (const name of ['testbed', 'run', 'uploads', 'postgres', 'own-notes']) {
    mkdirSync(join(folder, name))
    chmodSync(join(folder, name), 0o755)
  }
  writeFileSync(join(folder, 'secret.key'), 'x')
  chmodSync(join(folder, 'secret.key'), 0o644)
  expect(findOpenPaths(folder).map(path => path.slice(folder.length))).toEqual([
    '',
    '/run',
    '/testbed',
    '/uploads',
    '/secret.key',
  ])
  closeDataFolder(folder)
  expect(findOpenPaths(folder)).toEqual([])
  expect(['testbed', 'run', 'uploads', 'secret.key'].map(modeOf)).toEqual([0o700, 0o700, 0o700, 0o600])
  // The database manages its own folder, and other files are left unchanged.
  expect([modeOf('postgres'), modeOf('own-notes')]).toEqual([0o755, 0o755])
})

test('data folder: a shared folder is left unchanged', () => {
  mkdirSync(folder)
  chmodSync(folder, 0o1777)
  closeDataFolder(folder)
  expect(modeOf('.')).toBe(0o1777)
})
