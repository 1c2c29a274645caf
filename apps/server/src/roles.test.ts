import { expect, test } from 'vitest'
import { nodeArguments, processNames, roleOf } from './roles.ts'

test('each role has one process, the engine a configured number', () => {
  expect(processNames(['api', 'engine', 'jobs'], 1)).toEqual(['api', 'engine', 'jobs'])
  expect(processNames(['api', 'engine', 'jobs'], 3)).toEqual([
    'api',
    'engine',
    'engine-2',
    'engine-3',
    'jobs',
  ])
  expect(processNames(['tracking'], 3)).toEqual(['tracking'])
})

test('the role of a process follows from its name', () => {
  expect(['engine', 'engine-2', 'api', 'api-2', 'engine-x', ''].map(roleOf)).toEqual([
    'engine',
    'engine',
    'api',
    undefined,
    undefined,
    undefined,
  ])
  expect(nodeArguments('engine-2')).toEqual(nodeArguments('engine'))
})
