import { adminPassword, launchEmma, makeFolder, type RunningEmma } from './launch-emma.ts'

/** Starts the whole program for the first time, in a new folder, which `stop` keeps. */
export async function firstStart(): Promise<RunningEmma> {
  const emma = await launchEmma(makeFolder())
  await markTourSeen(emma.port)
  return emma
}

/** Marks the first account's tour as seen: it would start over the dashboard. */
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
