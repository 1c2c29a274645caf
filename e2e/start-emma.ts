import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { inject } from 'vitest'
import { firstStart } from './first-start.ts'
import { launchEmma, makeFolder, type RunningEmma } from './launch-emma.ts'

/**
 * The whole program in a folder of its own, which `stop` removes: a copy of the golden folder, of a first start whose first
 * campaign has been sent.
 *
 * @param fresh starts from nothing instead, as on the first day
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
  // With the owners of the files, which Node's own copy does not keep.
  execFileSync('cp', ['-a', `${inject('emmaGolden')}/.`, folder])
  return folder
}
