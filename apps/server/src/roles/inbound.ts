import type { RunningRole } from '../role.ts'

export async function start(): Promise<RunningRole> {
  return { async stop() {} }
}
