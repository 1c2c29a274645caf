import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { lookForChromium } from '../scripts/find-programs.mjs'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Endpoint of the Chromium that all journeys share. */
    emmaBrowser: string
  }
}

/** Host names of the brands in production; resolved to this machine. */
const brandHosts = ['console.emma.example', 'console.ems.example']

/** Vitest's global set-up of the e2e project: starts one Chromium for all journeys. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({
    executablePath: lookForChromium(),
    args: [
      '--no-sandbox',
      // Pages live for seconds: optimizing their code costs more than it saves.
      '--js-flags=--no-opt --no-maglev',
      `--host-resolver-rules=${brandHosts.map(host => `MAP ${host} 127.0.0.1`).join(',')}`,
    ],
  })
  project.provide('emmaBrowser', server.wsEndpoint())
  return () => server.close()
}
