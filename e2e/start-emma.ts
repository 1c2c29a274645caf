import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { inject } from 'vitest'
import { firstStart } from './first-start.ts'
import { launchEmma, makeFolder, type RunningEmma } from './launch-emma.ts'

/**
 * Starts the whole program in a folder of its own, which `stop` removes: a copy of the golden folder, in which the
 * first campaign has been sent.
 *
 * @param fresh starts with an empty folder instead
 */
export async function startEmma({ fresh = false } = {}): Promise<RunningEmma> {
  const emma = fresh ? await firstStart() : await launchEmma(copyGolden())
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
