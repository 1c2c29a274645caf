import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { addTestClient, type TestClient } from '../../test/fixtures.ts'

let app: TestApp
let superadmin: string
let client: TestClient
beforeAll(async () => {
  app = await startTestApp()
  superadmin = await app.logInSuperadmin()
  client = await addTestClient(app, superadmin)
})
afterAll(() => app.close())

const schedule = { rrule: 'FREQ=MONTHLY;BYDAY=1MO', tz: 'Europe/Berlin', start: '2030-01-01', time: '09:00' }

describe('R251 the preview', () => {
  const preview = (body: unknown) => app.call('POST', '/recurring:preview', { token: superadmin, body })

  test('has the next ten runs of a schedule that is not saved', async () => {
    const { status, json } = await preview({ schedule, exceptions: ['2030-02-04'] })
    expect(status).toBe(200)
    expect(json.runs).toHaveLength(10)
    expect((json.runs as unknown[]).slice(0, 3)).toMatchObject([
      { at: '2030-01-07T08:00:00.000Z', local: '2030-01-07T09:00', moved: false },
      { local: '2030-03-04T09:00' },
      { at: '2030-04-01T07:00:00.000Z' },
    ])
  })

  test.each([
    [{ rrule: 'FREQ=SECONDLY' }, 'schedule.rrule', 'field.too_often'],
    [{ rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, 'schedule.rrule', 'field.never_runs'],
    [{ tz: 'Mars/Olympus' }, 'schedule.tz', 'field.timezone'],
    [{ end: '2029-01-01' }, 'schedule.end', 'field.not_before_start'],
  ])('names what is wrong with %o', async (part, field, code) => {
    const { status, error } = await preview({ schedule: { ...schedule, ...part } })
    expect(status).toBe(422)
    expect(error.fields).toMatchObject([{ field, code }])
  })
})

test('R251 pausing clears the next run, and resuming sets it', async () => {
  const path = `/recurring/${client.ids.recurring}`
  const patch = (body: unknown) => app.call('PATCH', path, { token: superadmin, body })
  expect((await patch({ active: false })).json.next_run).toBeNull()
  expect((await patch({ active: true, schedule })).json.next_run).toBe('2030-01-07T08:00:00.000Z')
})

test('R251 runs, report and run now need their permissions and the own client', async () => {
  const path = `/recurring/${client.ids.recurring}`
  const stranger = await app.logIn({ clients: [(await addTestClient(app, superadmin)).clientId] })
  const reader = await app.logIn({ clients: [client.clientId], permissions: ['EmmaRecurring:get'] })
  expect((await app.call('GET', `${path}/runs/`, { token: reader.token })).json.data).toEqual([])
  expect((await app.call('GET', `${path}/runs/`, { token: stranger.token })).status).toBe(404)
  expect((await app.call('POST', `${path}/run`, { token: stranger.token })).status).toBe(404)
  expect((await app.call('POST', `${path}/run`, { token: reader.token })).status).toBe(403)
  expect((await app.call('GET', '/recurring-report/', { token: reader.token })).status).toBe(403)
})
