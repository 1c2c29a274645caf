import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type Json, openApi, until } from './api-session.ts'
import { cachedFolder } from './cached-folder.ts'
import { firstStart } from './first-start.ts'
import type { RunningEmma } from './launch-emma.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Data folder of a first start whose campaigns have been sent. Copy it, do not use it. */
    emmaGolden: string
  }
}

const sources = [
  'apps/server/src/**/*.ts',
  'packages/*/src/**/*.{ts,json}',
  'packages/db/migrations/*',
  'package-lock.json',
]

/**
 * Vitest's global set-up of the e2e project: the program as `npm start` builds it, and one first start for all journeys,
 * cached until the program's sources or the date (UTC) change.
 */
export async function setup(project: TestProject): Promise<void> {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
  const today = new Date().toISOString().slice(0, 10)
  project.provide('emmaGolden', await cachedFolder('emma-golden', sources, makeGolden, today))
}

async function makeGolden(): Promise<string> {
  const emma = await firstStart()
  try {
    await campaignsHaveLeft(emma)
  } finally {
    await emma.stop()
  }
  // The copies need no durability.
  writeFileSync(join(emma.dataFolder, 'postgres/custom.conf'), 'fsync = off\n')
  return emma.dataFolder
}

/** Does not wait for recipients that a receiver has deferred: they are retried for days. */
async function campaignsHaveLeft(emma: RunningEmma): Promise<void> {
  const api = await openApi(emma)
  await until(
    async () => (await api.get('/emma/report/')).data,
    (reports: Json[]) => reports.length > 1 && reports.every(report => report.nb_recipients > 0),
  )
  for (const { campagne_id } of (await api.get('/emma/report/')).data)
    await until(
      () => api.get(`/emma/report/${campagne_id}`),
      ({ nb_pending, providers }) =>
        nb_pending === providers.reduce((sum: number, { deferred }: Json) => sum + Number(deferred), 0),
      300,
    )
}
