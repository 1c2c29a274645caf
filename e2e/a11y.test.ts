import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillScreens, screens } from './a11y-addresses.ts'
import { openApi } from './api-session.ts'
import { findViolations, type Rules, wcag } from './find-violations.ts'
import { openBrowser, openConsole } from './open-browser.ts'
import type { RunningEmma } from './launch-emma.ts'
import { settled } from './settled.ts'
import { CONSOLE_ROLES, startEmma } from './start-emma.ts'
import { visit } from './visit.ts'

const wide = { width: 1440, height: 900 }
/** Includes best practices: one main landmark, heading order, distinguishable landmarks. */
const tags = [...wcag, 'best-practice']
const contrast = ['color-contrast']
const narrow = { width: 360, height: 740 }
/** Checked in full without CI=true, too. */
const samples = [
  '/dashboard',
  '/campaigns/edit/2',
  '/campaigns/reports/1',
  '/subscribers/segments/edit/2',
  '/usersettings',
]

let emma: RunningEmma
let browser: Browser
let emmaBrand: Watched | undefined

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  await fillScreens(await openApi(emma))
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

/** Paths by product area. */
const areas = Map.groupBy(screens, path => path.split('/')[1] ?? '')

test.each([...areas])(
  'R008 R022–R134 the screens of /%s open without errors for a superadmin and fit on a phone; all rules of accessibility apply to one (with CI=true to each)',
  async (_area, paths) => {
    emmaBrand ??= await openWatched('localhost')
    const found: string[] = []
    for (const path of paths) {
      const isFirst = !paths.some(one => emmaBrand?.judged.has(one))
      const least = isFirst ? 'light' : 'opens'
      const depth = process.env.CI ? 'dark' : least
      found.push(...(await faultsOf(emmaBrand, path, { depth, contentOnly: !isFirst })))
    }
    expect([...found, ...emmaBrand.faults.splice(0)]).toEqual([])
  },
  // An area has up to thirty screens.
  1_200_000,
)

test.each(process.env.CI ? ['localhost', 'ems.localhost'] : ['localhost'])(
  'R001 the colors of %s have sufficient contrast',
  async host => {
    const watched = await openWatched(host)
    const found: string[] = []
    for (const path of samples)
      found.push(...(await faultsOf(watched, path, { depth: 'all', contentOnly: false })))
    expect([...found, ...watched.faults]).toEqual([])
  },
)

/**
 * What is checked of a screen, each with those before it: that it opens and fits on a phone; all rules, wide and in the
 * light theme; contrast when wide and all other rules when narrow, in the dark theme; contrast when narrow, of the same
 * colors and nearly the same elements.
 */
const depths = ['opens', 'light', 'dark', 'all'] as const
type Depth = (typeof depths)[number]

async function faultsOf(
  { page, judged }: Watched,
  path: string,
  { depth, contentOnly }: { depth: Depth; contentOnly: boolean },
): Promise<string[]> {
  const isDeep = (least: Depth) => depths.indexOf(depth) >= depths.indexOf(least)
  const faults: string[] = []
  await page.setViewportSize(wide)
  await page.emulateMedia({ colorScheme: 'light' })
  if (!(await open(page, path))) faults.push('has no heading')
  await settled(page)
  if ((await page.getByRole('heading', { name: 'You may not open this page' }).count()) > 0)
    faults.push('is forbidden to a superadmin')
  // The placeholder of unbuilt screens is checked once.
  if (judged.has(await screenOf(page))) return faults
  judged.add(await screenOf(page))
  if (isDeep('light')) faults.push(...(await violations(page, 'wide', { tags, contentOnly })))
  if (isDeep('dark')) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
    await settled(page)
    faults.push(...(await violations(page, 'wide, dark', { rules: contrast, contentOnly })))
  }
  await page.setViewportSize(narrow)
  await settled(page)
  if (isDeep('dark'))
    faults.push(
      ...(await violations(page, 'narrow, dark', {
        tags,
        without: isDeep('all') ? [] : contrast,
        contentOnly,
      })),
    )
  faults.push(...(await overflow(page)))
  return faults.map(fault => `${path} ${fault}`)
}

/** Identifies a screen: by its path, or as unbuilt, with or without the shell. */
async function screenOf(page: Page): Promise<string> {
  const { pathname } = new URL(page.url())
  const isBuilt = (await page.getByRole('heading', { name: 'This page is not built yet' }).count()) === 0
  return isBuilt ? pathname : `not built, ${await page.getByRole('navigation').count()}`
}

async function violations(page: Page, when: string, rules: Rules): Promise<string[]> {
  const found = await findViolations(page, rules)
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `(${when}) ${id}: ${html.slice(0, 240)} ${failureSummary}`),
  )
}

/** Elements wider than the narrowest phone, which would make the page scroll horizontally. */
async function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const outside = [...document.body.querySelectorAll('*')].filter(
      element => element.getBoundingClientRect().right > clientWidth + 1,
    )
    return [`is ${scrollWidth} px wide: ${outside.at(-1)?.outerHTML.slice(0, 200)}`]
  })
}

interface Watched {
  page: Page
  /** Errors and warnings of the browser's console, and missing texts that it reported. */
  faults: string[]
  /** Screens that have been checked. */
  judged: Set<string>
}

async function openWatched(host: string): Promise<Watched> {
  const faults: string[] = []
  const page = await openConsole(browser, emma, {
    host,
    path: '/usersettings',
    prepare(one) {
      const say = (text: string) => faults.push(`${new URL(one.url()).pathname} ${text}`)
      one.on('console', message => {
        // Refused requests too, which other journeys may provoke.
        if (message.type() === 'error' || message.type() === 'warning')
          say(`${message.type()}: ${message.text()}`)
      })
      one.on('request', request => {
        if (/\/locales\/(?:add|missing)/.test(request.url())) say(`missing text: ${request.postData()}`)
      })
    },
  })
  return { page, faults, judged: new Set() }
}

/** Shows a screen; false if it has no heading. */
function open(page: Page, path: string): Promise<boolean> {
  return visit(page, path).then(
    () => true,
    () => false,
  )
}
