import { openApi } from './api-session.ts'
import { launchEmma, makeFolder, type RunningEmma } from './launch-emma.ts'

/** Starts the whole program for the first time, in a new folder, which `stop` keeps. */
export async function firstStart(): Promise<RunningEmma> {
  const emma = await launchEmma(makeFolder())
  // Marks the first account's tour as seen: it would start over the dashboard.
  await (await openApi(emma)).post('/v2/guided-tour:seen/1')
  return emma
}
