import { expect, test } from 'vitest'
import { groupEvents } from './grouped-events.ts'

function event(id: number, seconds: number, kind: string, agent: string) {
  const at = new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()
  return { id, at, kind, agent, target: '', status: 200, detail: '' }
}

function ids(happenings: ReturnType<typeof groupEvents>): number[][] {
  return happenings.map(happening => happening.events.map(each => each.id))
}

test('the links a scanner follows are one happening, a reader in between is another', () => {
  const events = [
    event(1, 0, 'scan', 'gateway-scanner'),
    event(2, 1, 'scan', 'gateway-scanner'),
    event(3, 2, 'open', 'thunderbird'),
    event(4, 3, 'scan', 'gateway-scanner'),
  ]
  expect(ids(groupEvents(events))).toEqual([[1, 2], [3], [4]])
})

test('the same reader twice in a day stays twice', () => {
  const events = [event(1, 0, 'open', 'thunderbird'), event(2, 3600, 'open', 'thunderbird')]
  expect(ids(groupEvents(events))).toEqual([[1], [2]])
  expect(groupEvents(events).map(happening => happening.at)).toEqual(events.map(each => each.at))
})

test('two agents at the same moment stay apart', () => {
  const events = [event(1, 0, 'open', 'apple-mpp'), event(2, 0, 'open', 'mail-iphone')]
  expect(ids(groupEvents(events))).toEqual([[1], [2]])
})

test('nothing happened, nothing to gather', () => {
  expect(groupEvents([])).toEqual([])
})
