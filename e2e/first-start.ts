import { adminPassword, launchEmma, makeFolder, type RunningEmma } from './launch-emma.ts'

/** The whole program as on the first day, in a new folder that `stop` leaves. */
export async function firstStart(): Promise<RunningEmma> {
  const emma = await launchEmma(makeFolder())
  await markTourSeen(emma.port)
  return emma
}

/** The first account's tour would begin by itself, over the dashboard of every journey. */
async function markTourSeen(port: number): Promise<void> {
  const post = (path: string, headers: Record<string, string>, body?: string) =>
    fetch(`http://localhost:${port}/api${path}`, { method: 'POST', headers, ...(body ? { body } : {}) })
  const login = await post(
    '/auth/login',
    { 'content-type': 'application/json' },
    JSON.stringify({ username: 'admin', password: adminPassword }),
  )
  const { token } = (await login.json()) as { token: string }
  await post('/v2/guided-tour:seen/1', { authorization: `Bearer ${token}` })
}
