import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { inject } from 'vitest'
import { firstStart } from './first-start.ts'
import { launchEmma, makeFolder, type RunningEmma, type Settings } from './launch-emma.ts'

interface StartOptions {
  fresh?: boolean
  roles?: string
  settings?: Settings
}

/** For tests of the console alone: nothing is sent, tracked or done in the background. */
export const CONSOLE_ROLES = 'api'

/** For tests that send to the testbed, without opens and clicks. */
export const SENDING_ROLES = 'api,engine,testbed'

/**
 * Starts the whole program in a folder of its own, which `stop` removes: a copy of the golden folder, in which the
 * campaigns of the demo content have been sent.
 *
 * @param fresh starts with an empty folder instead
 * @param roles those that the tests need, separated by commas; all by default
 * @param settings environment variables; only for a copy of the golden folder
 */
export async function startEmma({ fresh = false, roles, settings }: StartOptions = {}): Promise<RunningEmma> {
  const emma = fresh ? await firstStart() : await launchEmma(copyGolden(), { roles, settings })
  const stop = emma.stop.bind(emma)
  emma.stop = async () => {
    await stop()
    rmSync(emma.dataFolder, { recursive: true, force: true })
  }
  return emma
}

function copyGolden(): string {
  const folder = makeFolder()
  // `cp -a` keeps the files' owners, unlike Node's copy.
  execFileSync('cp', ['-a', `${inject('emmaGolden')}/.`, folder])
  return folder
}
