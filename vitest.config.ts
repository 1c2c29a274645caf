import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { lookForChromium, unpackedFolder } from './scripts/find-programs.mjs'
import { LongestFirst } from './scripts/longest-first.ts'
import { useMemoryFolder } from './scripts/use-memory-folder.ts'

// Mail programs that `npm test` fetched are there for a single test too.
process.env.EMMA_DEBIAN ??= unpackedFolder()
useMemoryFolder()
// Hundreds of processes of the program start, from the same modules.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'emma-compile-cache')

/**
 * What is asked again until it fits is asked for this long, where Vitest gives up after a second: whoever is patient loses
 * no time when it does fit, and a machine that has other work to do fails nothing. A test that asserts nothing fails.
 */
const patient = { requireAssertions: true, poll: { timeout: 120_000 } }

/** Thorough tests run with CI=true, or when they are named (docs/adr/0020). */
const isThorough =
  process.env.CI !== undefined || process.argv.slice(2).some(argument => argument.includes('thorough'))
const unlessThorough = isThorough ? [] : ['**/*.thorough.*', 'e2e/thorough/**']

/** A page of the story book is a screen, too. */
const screenTests = ['apps/console/src/**/*.screen.test.tsx', 'packages/ui/stories/*.screen.test.tsx']

/**
 * unit: pure code, no database, no socket. integration: *.it.test.ts, a real PostgreSQL (one database a file).
 * screens: *.screen.test.tsx, the console in Chromium on the in-browser demo API. e2e: browser journeys against the whole
 * program. Run together, they run in this order.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: ['{apps,packages}/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          exclude: ['**/*.it.test.ts', '**/*.screen.test.tsx', ...unlessThorough],
          // Files share a process and its modules: restore what a test replaces.
          isolate: false,
          maxWorkers: availableParallelism(),
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'integration',
          sequence: { groupOrder: 1 },
          // Not by `exclude`, which would replace that of the command line.
          include: [`{apps,packages}/*/src/**/${isThorough ? '*' : '!(*.thorough)'}.it.test.ts`],
          globalSetup: ['packages/db/src/test/server.ts'],
          setupFiles: ['packages/db/src/test/statements.ts'],
          // Files share a process and its modules: module state must belong to instances.
          isolate: false,
          // They wait for the database, for sockets and for clocks more than they compute.
          maxWorkers: Math.max(6, availableParallelism()),
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: patient,
        },
      },
      {
        // Found before the first test: a dependency found later would reload the page in the middle of one.
        optimizeDeps: {
          entries: ['apps/console/src/console.tsx', 'packages/ui/stories/main.tsx', ...screenTests],
          // Of JSX, which is compiled after dependencies are looked for.
          include: ['react/jsx-runtime', 'react/jsx-dev-runtime'],
        },
        // The build that users have. React's checks, in the development build, take a third of the time.
        ...(!isThorough && {
          define: { 'process.env.NODE_ENV': JSON.stringify('production') },
          oxc: { jsx: { development: false } },
        }),
        test: {
          name: 'screens',
          sequence: { groupOrder: 2 },
          include: screenTests,
          setupFiles: ['apps/console/src/test/screen-faults.ts', 'apps/console/src/test/screen-locators.ts'],
          // Files share a page and its modules, which take longer to load than a test.
          isolate: false,
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: patient,
          browser: {
            enabled: true,
            headless: true,
            ui: false,
            screenshotFailures: false,
            // As in the journeys: names contain the text, in any case.
            locators: { exact: false },
            commands: {
              nameOfDownload: async ({ page }) => (await page.waitForEvent('download')).suggestedFilename(),
            },
            provider: playwright({
              launchOptions: { executablePath: lookForChromium(), args: ['--no-sandbox'] },
              contextOptions: { locale: 'en-GB', reducedMotion: 'reduce', timezoneId: 'Europe/Berlin' },
              actionTimeout: 120_000,
            }),
            instances: [{ browser: 'chromium', viewport: { width: 1440, height: 900 } }],
          },
        },
      },
      {
        test: {
          name: 'e2e',
          sequence: { groupOrder: 3 },
          include: ['e2e/**/*.test.ts'],
          exclude: unlessThorough,
          globalSetup: ['e2e/golden-folder.ts', 'e2e/browser-server.ts'],
          setupFiles: ['e2e/refuse-faults.ts'],
          // Files share a process and its modules: Playwright takes longer to load than a short journey.
          isolate: false,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect: patient,
          // A third one gains nothing on two cores, and the screens beside it take half as long again.
          maxWorkers: 2,
        },
      },
    ],
  },
})
