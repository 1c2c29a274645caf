import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { type Json, openApi, until } from './api-session.ts'
import { firstStart } from './first-start.ts'
import type { RunningEmma } from './launch-emma.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Data folder of a first start whose first campaign has been sent. Copy it, do not use it. */
    emmaGolden: string
  }
}

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(tmpdir(), 'emma-golden')

/**
 * Vitest's global set-up of the e2e project: one first start for all journeys, cached until the program's sources or
 * the date (UTC) change.
 */
export async function setup(project: TestProject): Promise<void> {
  const folder = join(cache, keyOf(new Date()))
  if (!existsSync(folder)) await makeGolden(folder)
  project.provide('emmaGolden', folder)
}

function keyOf(today: Date): string {
  const hash = createHash('sha256').update(today.toISOString().slice(0, 10))
  const sources = [
    'apps/server/src/**/*.ts',
    'packages/*/src/**/*.{ts,json}',
    'packages/db/migrations/*',
    'package-lock.json',
  ]
  for (const file of globSync(sources, { cwd: root }).sort())
    if (!file.endsWith('.test.ts')) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

async function makeGolden(folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true })
  removeOld()
  const emma = await firstStart()
  try {
    await firstCampaignHasLeft(emma)
  } finally {
    await emma.stop()
  }
  // The copies need no durability.
  writeFileSync(join(emma.dataFolder, 'postgres/custom.conf'), 'fsync = off\n')
  renameSync(emma.dataFolder, folder)
}

/** Does not wait for recipients that a receiver has deferred: they are retried for days. */
async function firstCampaignHasLeft(emma: RunningEmma): Promise<void> {
  const api = await openApi(emma)
  await until(
    () => api.get('/emma/report/1'),
    ({ nb_recipients, nb_pending, providers }) =>
      nb_recipients > 0 &&
      nb_pending === providers.reduce((sum: number, { deferred }: Json) => sum + Number(deferred), 0),
    300,
  )
}

/** Keeps today's folders, which another run may be copying. */
function removeOld(): void {
  const aDayAgo = Date.now() - 86_400_000
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name)
    if (statSync(folder).mtimeMs < aDayAgo) rmSync(folder, { recursive: true, force: true })
  }
}
