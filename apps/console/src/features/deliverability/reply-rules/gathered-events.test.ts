import { expect, test } from 'vitest'
import { groupEvents } from './grouped-events.ts'

function event(id: number, seconds: number, kind: string, agent: string) {
  const at = new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()
  return { id, at, kind, agent, target: '', status: 200, detail: '' }
}

function ids(happenings: ReturnType<typeof groupEvents>): number[][] {
  return happenings.map(happening => happening.events.map(each => each.id))
}

test('consecutive events of a scanner are one group, an open in between is another', () => {
  const events = [
    event(1, 0, 'scan', 'gateway-scanner'),
    event(2, 1, 'scan', 'gateway-scanner'),
    event(3, 2, 'open', 'thunderbird'),
    event(4, 3, 'scan', 'gateway-scanner'),
  ]
  expect(ids(groupEvents(events))).toEqual([[1, 2], [3], [4]])
})

test('two opens by the same agent on one day are two groups', () => {
  const events = [event(1, 0, 'open', 'thunderbird'), event(2, 3600, 'open', 'thunderbird')]
  expect(ids(groupEvents(events))).toEqual([[1], [2]])
  expect(groupEvents(events).map(happening => happening.at)).toEqual(events.map(each => each.at))
})

test('two agents at the same time are two groups', () => {
  const events = [event(1, 0, 'open', 'apple-mpp'), event(2, 0, 'open', 'mail-iphone')]
  expect(ids(groupEvents(events))).toEqual([[1], [2]])
})

test('no events give no groups', () => {
  expect(groupEvents([])).toEqual([])
})
